"""Time `rms_score` against the same metric as a plain loop over pairs of keys.

Run it with `python tests/benchmarks/bench_rms.py`; README.md beside it says what the
columns mean and holds the figures of one run.
"""

from __future__ import annotations

import random
import string
import sys
from collections.abc import Callable
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parents[1]))

import figures
import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from reference.rms_plain import compare, points, rms_plain, table as table_of
from scipy.optimize import linear_sum_assignment

from tableqa_metrics import rms_score


# Rows times columns, without the header.
SIZES = (
    *("1x1", "1x2", "1x10", "10x1", "2x2"),
    *("5x5", "10x5", "20x8", "50x10", "100x10"),
)
QUICK = SIZES[:7]
AIMS = {"50x10": 100, "100x10": 100, "200x10": 100}

WORDS = {
    "headers": (
        "original language, composer, country of origin, genre, publication date, "
        "distributed by, screenwriter, director of photography, production company, "
        "narrative location"
    ),
    "countries": (
        "United States of America, France, Italy, Germany, Japan, United Kingdom"
    ),
    "titles": (
        "anxiety army autumn bandit bay bird blazing blood bridge brother captain castle "
        "chair circus city clock colony comet crown dancer dark daughter desert devil "
        "diamond dragon eagle empire engine falcon farm father fever field fire flight "
        "forest fortune garden ghost giant gold harbor harvest heaven horse hotel hour "
        "house hunter indian iron island jungle justice key king kitchen lady lake legend "
        "letter lion machine man men mirror moon mountain night ocean orchid palace "
        "paradise parade party pilot planet prince prison queen rain reunion river road "
        "robin rose saddle sailor secret shadow ship silent silver sister sky snow "
        "soldier song spaceball spring stone storm street summer sun tights tower train "
        "treasure twelve valley victory village violin voyage war water winter wolf woman "
        "world young"
    ),
    "given names": (
        "alex anne arthur ben carol clara david dora earle edward elena frank franz gene "
        "grace harold helen hummie irene jack james john karen laura leo louis madeline "
        "maurice mel nora oscar paul peter rita robert rosa samuel thomas vera victor "
        "walter"
    ),
    "surnames": (
        "abbott aurthur anderson bancroft bauer bernstein brooks caesar carlson diaz "
        "douglas evans fisher garcia goldsmith hagen hecht herrmann howard hume ivanov "
        "jarre jensen kahn knopf larsen leone mann martin morris newman north novak "
        "okafor petrov quinn raksin rossi sato shire silva skinner steiner tanaka tiomkin "
        "trumbo vidal waxman wilder young"
    ),
}
HEADERS = WORDS["headers"].split(", ")
COUNTRIES = WORDS["countries"].split(", ")
TITLE_WORDS = WORDS["titles"].split()
GIVEN_NAMES = WORDS["given names"].split()
SURNAMES = WORDS["surnames"].split()

Table = list[list[str]]


def person(rng: random.Random) -> str:
    return f"{rng.choice(GIVEN_NAMES)} {rng.choice(SURNAMES)}".title()


def cell(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.2:
        return str(rng.randint(1930, 2020))
    if kind < 0.3:
        return (
            f"{rng.randint(1930, 2020)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        )
    if kind < 0.5:
        return rng.choice(COUNTRIES)
    return ", ".join(person(rng) for _ in range(rng.randint(1, 2)))


def title(rng: random.Random) -> str:
    return " ".join(rng.sample(TITLE_WORDS, rng.randint(1, 4))).title()


def table(rng: random.Random, height: int, width: int) -> Table:
    header = ["entity", *rng.sample(HEADERS, width - 1)]
    return [header] + [
        [title(rng), *(cell(rng) for _ in header[1:])] for _ in range(height)
    ]


def misspelt(rng: random.Random, text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + "x" + text[at:]


def similar(rng: random.Random, gold: Table) -> Table:
    """The gold rows in another order, some names and more cells misspelt or wrong."""

    def changed(text: str, wrong: str, share: float) -> str:
        chance = rng.random()
        if chance < share:
            return wrong
        return misspelt(rng, text) if chance < 2 * share else text

    header, *rows = gold
    rows = [
        [changed(name, title(rng), 0.1), *(changed(c, cell(rng), 0.2) for c in cells)]
        for name, *cells in rows
    ]
    rng.shuffle(rows)
    return [header, *rows]


def named(gold: Table, name: Callable[[int], str]) -> Table:
    return [gold[0], *([name(i), *row[1:]] for i, row in enumerate(gold[1:]))]


def filled(rng: random.Random, gold: Table, text: Callable[[], str]) -> Table:
    return [gold[0], *([row[0], *(text() for _ in row[1:])] for row in gold[1:])]


def numbered(rng: random.Random, height: int, width: int) -> Table:
    """A table whose rows differ by a number alone, so that every key is like many."""
    return named(table(rng, height, width), "Episode {}".format)


def permuted(rng: random.Random, gold: Table) -> Table:
    order = [0, *rng.sample(range(1, len(gold[0])), len(gold[0]) - 1)]
    rows = [gold[0], *rng.sample(gold[1:], len(gold) - 1)]
    return [[row[j] for j in order] for row in rows]


def of_letters(rng: random.Random, height: int, width: int) -> Table:
    def text(most: int = 3) -> str:
        return "".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, most)))

    return [[text() for _ in range(width)] for _ in range(height + 1)]


def years(rng: random.Random, height: int, width: int) -> Table:
    return named(table(rng, height, width), lambda i: str(1900 + i))


def grid(
    height: int,
    width: int,
    header: Callable[[int], str],
    name: Callable[[int], str],
    text: Callable[[], str],
) -> Table:
    """Headers and row names by their numbers, from 1, and what stands in the cells."""
    return [
        ["", *map(header, range(1, width))],
        *([name(i), *(text() for _ in range(1, width))] for i in range(1, height + 1)),
    ]


def codes(rng: random.Random, height: int, width: int) -> Table:
    """Rows r1, r2, columns c1, c2, and cells as short."""
    return grid(
        height, width, "c{}".format, "r{}".format, lambda: f"v{rng.randint(0, 999)}"
    )


def amounts(
    rng: random.Random, height: int, width: int, header: Callable[[int], str]
) -> Table:
    """People by what a header names, and numbers."""
    return grid(
        height,
        width,
        header,
        lambda _: person(rng),
        lambda: str(rng.randint(0, 9999)),
    )


def quarters(rng: random.Random, height: int, width: int) -> Table:
    return amounts(rng, height, width, lambda j: f"Q{j % 4 + 1} {2018 + j // 4}")


def revenues(rng: random.Random, height: int, width: int) -> Table:
    """Headers longer than row names, and all of them alike."""
    return amounts(rng, height, width, lambda j: f"Revenue {2010 + j} ($ million)")


def transposed(lines: Table) -> Table:
    return [list(column) for column in zip(*lines, strict=True)]


def equal(rng: random.Random, gold: Table) -> Table:
    return gold


def one_name(rng: random.Random, gold: Table) -> Table:
    *rows, (name, *cells) = permuted(rng, gold)
    return [*rows, [misspelt(rng, name), *cells]]


def typos_in_cells(rng: random.Random, gold: Table) -> Table:
    rows = [[name, *(misspelt(rng, c) for c in cells)] for name, *cells in gold[1:]]
    return [gold[0], *rows]


def typos(rng: random.Random, gold: Table) -> Table:
    return [gold[0], *([misspelt(rng, text) for text in row] for row in gold[1:])]


def half(rng: random.Random, gold: Table) -> Table:
    other = table(rng, len(gold) // 2, len(gold[0]))
    return [gold[0], *gold[1 + len(gold) // 2 :], *other[1:]]


def other_header(rng: random.Random, gold: Table) -> Table:
    return table(rng, len(gold) - 1, len(gold[0]))


def different(rng: random.Random, gold: Table) -> Table:
    def text() -> str:
        return " ".join(of_letters(rng, 1, rng.randint(2, 8))[0])

    return [[text() for _ in row] for row in gold]


def turned(rng: random.Random, gold: Table) -> Table:
    return transposed(similar(rng, gold))


def renumbered(rng: random.Random, gold: Table) -> Table:
    return named(gold, lambda i: f"Company {i + 2}")


def companies(rng: random.Random, height: int, width: int) -> Table:
    return named(table(rng, height, width), lambda i: f"Company {i + 1}")


def rows_and_columns(rng: random.Random, height: int, width: int) -> Table:
    header = ["entity", *(f"column {j}" for j in range(1, width))]
    rows = [[str(rng.randint(0, 999)) for _ in header] for _ in range(height)]
    return named([header, *rows], "row {}".format)


def long_cells(rng: random.Random, height: int, width: int) -> Table:
    gold = table(rng, height, width)
    return filled(rng, gold, lambda: " ".join(person(rng) for _ in range(20)))


def long_names(rng: random.Random, height: int, width: int) -> Table:
    return named(
        table(rng, height, width), lambda i: " ".join(title(rng) for _ in range(6))
    )


def some_letters(rng: random.Random, gold: Table) -> Table:
    other = of_letters(rng, len(gold) - 1, len(gold[0]))
    return [gold[0]] + [
        [a if rng.random() < 0.8 else b for a, b in zip(row, wrong, strict=True)]
        for row, wrong in zip(gold[1:], other[1:], strict=True)
    ]


Make = Callable[[random.Random, int, int], Table]
Change = Callable[[random.Random, Table], Table]
# How the gold table is made, and the predicted one of it.
KINDS: dict[str, tuple[Make, Change]] = {
    "equal": (table, equal),
    "permuted": (table, permuted),
    "one name": (table, one_name),
    "typos in cells": (table, typos_in_cells),
    "typos": (table, typos),
    "similar": (table, similar),
    "half": (table, half),
    "unrelated": (table, other_header),
    "different": (table, different),
    "transposed": (table, turned),
    "numbered": (numbered, similar),
    "renumbered": (companies, renumbered),
    "rows and columns": (rows_and_columns, similar),
    "long cells": (long_cells, similar),
    "long names": (long_names, typos),
    "letters": (of_letters, some_letters),
    "years": (years, similar),
    "codes": (codes, typos),
    "quarters": (quarters, similar),
    "revenues": (revenues, similar),
}


def serialized(rows: Table) -> str:
    return "".join("|".join(row) + "\n" for row in rows)


def pair(kind: str, size: str) -> tuple[Table, Table]:
    """Return the gold table and the predicted one."""
    height, width = map(int, size.split("x"))
    rng = random.Random(f"{kind} {size}")
    make, change = KINDS[kind]
    gold = make(rng, height, width)
    return gold, change(rng, gold)


def measure(kind: str, size: str, budget: float) -> figures.Row:
    reference, prediction = map(serialized, pair(kind, size))
    fast = rms_score(reference, prediction)  # the first call imports scipy
    if (fast.precision, fast.recall, fast.f1) != rms_plain(reference, prediction):
        raise SystemExit(f"the scores differ at {size}, {kind}")
    plain, ours = figures.taking_turns(
        lambda: rms_plain(reference, prediction),
        lambda: rms_score(reference, prediction),
        budget=budget,
    )
    return {
        "prediction": kind,
        "table": size,
        "f1": round(fast.f1, 2),
        "plain_s": plain,
        "ours_s": ours,
        "ratio": plain / ours,
        "aim": f"{AIMS.get(size, 1)} or more",
    }


def bounds(kind: str, size: str, budget: float) -> figures.Row:
    """How fast it were if only what it takes of scipy and rapidfuzz took time.

    That is the assignment of all keys of one reading, and the distances of all of them,
    which names may spare.
    """
    reference, prediction = map(serialized, pair(kind, size))
    fast = rms_score(reference, prediction)
    gold = points(*table_of(reference))
    title, rows = table_of(prediction)
    readings = points(title, rows), points(title, transposed(rows))
    scores = (fast.precision, fast.recall, fast.f1)
    likelier = next(found for found in readings if compare(gold, found) == scores)
    keys, others = ([key for key, _ in side] for side in (gold, likelier))

    def distances():
        return cdist(keys, others, scorer=Levenshtein.distance, dtype=np.uint8)

    longer = np.maximum.outer([*map(len, keys)], [*map(len, others)])
    share = cdist(keys, others, scorer=Levenshtein.distance) / longer
    costs = np.where(share < 0.5, 1 - (1 - share), 1.0)
    plain, assignment, all_distances = figures.taking_turns(
        lambda: rms_plain(reference, prediction),
        lambda: linear_sum_assignment(costs),
        distances,
        budget=budget,
    )
    return {
        "prediction": kind,
        "table": size,
        "plain_s": plain,
        "assignment_s": assignment,
        "distances_s": all_distances,
        "assignment alone": plain / assignment,
        "both": plain / (assignment + all_distances),
    }


def main() -> None:
    parser = figures.parser(__doc__)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sizes", nargs="+", metavar="ROWSxCOLUMNS")
    parser.add_argument("--matrix", action="store_true", help="ratios, kinds by sizes")
    parser.add_argument(
        "--bounds", action="store_true", help="ratios that scipy and rapidfuzz allow"
    )
    args = parser.parse_args()
    sizes = args.sizes or list(QUICK if args.quick else SIZES)
    budget = figures.QUICK_BUDGET if args.quick else figures.BUDGET
    if args.bounds:
        found = (bounds(kind, size, budget) for kind in args.kinds for size in sizes)
    elif args.matrix:
        found = (
            {"prediction": kind}
            | {size: measure(kind, size, budget)["ratio"] for size in sizes}
            for kind in args.kinds
        )
    else:
        found = (measure(kind, size, budget) for kind in args.kinds for size in sizes)
    figures.show(found, as_json=args.json)


if __name__ == "__main__":
    main()
