"""FinQA's evaluator and program equality, slow and plain: what the fast code must equal.

Both take programs as text, well-formed but for predictions without any step. Equality is decided where the released script
decides it, by sympy's `simplify`.
"""

import re

import sympy


STEP = re.compile(r"(\w+)\(((?:[^,()]|,(?! ))*), ([^()]*)\)")
BY_NAME = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "exp": lambda a, b: a**b,
}


def steps_of(program: str) -> list[tuple[str, str, str]]:
    return STEP.findall(program)


def number(text: str) -> float:
    text = text.replace(",", "").replace("const_m1", "-1").replace("const_", "")
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def plain_execute(program: str, table: list[list[str]]) -> float | str:
    """Return the value; raises where the program cannot be run."""
    results: list[float | str] = []
    for operation, first, second in steps_of(program):
        if operation.startswith("table"):
            (cells,) = [row[1:] for row in table if row[0] == first]
            row = [number(cell.replace("$", "").split("(")[0]) for cell in cells]
            average = sum(row) / len(row)
            by_name = {"max": max(row), "min": min(row), "sum": sum(row)}
            results.append({**by_name, "average": average}[operation[6:]])
            continue
        a, b = (
            results[int(argument[1:])] if argument[0] == "#" else number(argument)
            for argument in (first, second)
        )
        if operation == "greater":
            results.append("yes" if a > b else "no")
        else:
            results.append(BY_NAME[operation](a, b))
    return results[-1] if isinstance(results[-1], str) else round(results[-1], 5)


def plain_equal(reference: str, prediction: str) -> bool:
    """Tell whether sympy simplifies both to the same; raises where sympy does."""
    symbols = {}
    for name in names(reference):
        symbols.setdefault(name, sympy.Symbol(f"a{len(symbols)}"))
    if not steps_of(prediction) or not set(names(prediction)) <= set(symbols):
        return False
    return form(reference, symbols) == form(prediction, symbols)


def names(program: str) -> list[str | tuple]:
    """Return what stands for a symbol: arguments, and table steps with their place."""
    found = []
    for place, (operation, *arguments) in enumerate(steps_of(program)):
        if operation.startswith("table"):
            found.append((place == 0, operation, *arguments))
        else:
            found += [argument for argument in arguments if argument[0] != "#"]
    return found


def form(program: str, symbols: dict) -> sympy.Basic:
    values = []
    for place, (operation, *arguments) in enumerate(steps_of(program)):
        if operation.startswith("table"):
            values.append(symbols[(place == 0, operation, *arguments)])
            continue
        a, b = (
            values[int(argument[1:])] if argument[0] == "#" else symbols[argument]
            for argument in arguments
        )
        values.append(a > b if operation == "greater" else BY_NAME[operation](a, b))
    return sympy.simplify(values[-1])
