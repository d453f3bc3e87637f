"""`evaluate`: Python's arithmetic, without Python's `eval`."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, strategies as st
from reference.cost import growth

from tableqa_metrics.arithmetic import evaluate


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(2807 / 2790 - 1) * 100", (2807 / 2790 - 1) * 100),
        ("5829 - 5735", 94),
        ("-5637 - -3990", -1647),
        ("7 / 2", 3.5),
        ("4 / 2", 2.0),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("7.0 // 2", 3.0),
        ("2**3", 8),
        ("2 ** -1", 0.5),
        ("2 ** 3 ** 2", 512),
        ("-2 ** 2", -4),
        ("(-2) ** 2", 4),
        ("(-8.0) ** 2.0", 64.0),
        ("2 ** -1 ** 2", 0.5),
        ("- - +5", 5),
        ("2 * -3", -6),
        ("5.", 5.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1_000", 1000),
        ("00", 0),
        ("00.5", 0.5),
        (" \t( 1 ) ", 1),
        ("-0.0", -0.0),
        ("1 ** 99999999999", 1),
        ("0 ** 0", 1),
        ("10 ** -99999 ** 9", 0.0),
        ("2 ** 1023", 2**1023),
    ],
)
def test_means_what_python_means(expression, value):
    result = evaluate(expression)
    assert (result, str(result)) == (value, str(value))


@pytest.mark.parametrize(
    "expression",
    [
        *("", " ", "()", "N.A.", "5 6", "1 000", "1,000", "2(3)", "(2)(3)", "5 (3)"),
        *(
            "007",
            "1__0",
            "1_",
            "_1",
            "1.2.3",
            "1e",
            "0x10",
            "5j",
            "*5",
            "5 *",
            "5 * * 3",
        ),
        *("(5", "5)", ")5(", "((5)", "2 + 3 = 5", "2; 3", "[2 + 3]", "5 > 3", "~5"),
        *("1 / 0", "1 // 0", "0 ** -1", "0.0 ** -1", "(-8) ** 0.5", "inf", "nan"),
        *("1e999", "1e200 * 1e200", "9" * 400, "9" * 5000, "2 ** 1024", "9**9**9"),
        *("10.0 ** 400", "2 ** 1e9", "2 ** 1023 * 2 / 2"),
        *(
            "5\x00",
            "\ud800",
            "２０",
            "½",
            "5 % 3",
            "5%",
            "__import__('os')",
            "1 if 1 else 2",
        ),
    ],
)
def test_anything_else_has_no_value(expression):
    assert evaluate(expression) is None


@pytest.mark.parametrize("sign", "×✕✖⋅·∙∗＊")
def test_other_multiplication_signs(sign):
    assert evaluate(f"6 {sign} 3") == 18


@pytest.mark.parametrize("sign", "÷∕⁄／")
def test_other_division_signs(sign):
    assert evaluate(f"6 {sign} 3") == 2


@pytest.mark.parametrize("sign", "−–—‒﹣－")
def test_other_minus_signs(sign):
    assert evaluate(f"6 {sign} 3") == 3
    assert evaluate(f"{sign}3") == -3


def test_caret_is_a_power_not_an_exclusive_or():
    assert evaluate("2^3") == 8
    assert evaluate("(208.14 / 100)^(1 / 5) - 1") == (208.14 / 100) ** (1 / 5) - 1


def test_full_width_brackets_and_plus():
    assert evaluate("（2 ＋ 3） * 4") == 20


NUMBERS = st.integers(0, 10**6).map(str) | st.decimals(
    0, 10**6, allow_nan=False, places=3
).map(str)
TREES = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//"]), inner).map(
            " ".join
        ),
        inner.map("({})".format),
        inner.map("-{}".format),
        inner.map("({}) ** 2".format),
    ),
    max_leaves=8,
)


@given(TREES)
def test_equals_python_on_well_formed_arithmetic(expression):
    try:
        expected = eval(expression, {"__builtins__": {}})
    except ArithmeticError:
        assert evaluate(expression) is None
        return
    result = evaluate(expression)
    # Powers of powers may leave the range that is computed.
    if result is None:
        assert not abs(expected) < 1e60
    else:
        assert (result, type(result)) == (expected, type(expected))


@given(st.text() | st.text(alphabet="0123456789.+-*/()^ _e"))
def test_no_text_raises(text):
    assert isinstance(evaluate(text), int | float | None)


HOSTILE = {
    "brackets": lambda n: "(" * n + "1" + ")" * n,
    "open brackets": lambda n: "(" * n,
    "signs": lambda n: "-" * n + "1",
    "sums": lambda n: "1+" * n + "1",
    "powers": lambda n: "1**" * n + "1",
    "digits": lambda n: "1" * n,
    "decimals": lambda n: "0." + "1" * n,
    "underscores": lambda n: "1_" * n + "1",
    "spaces": lambda n: " " * n + "x",
    "large products": lambda n: "1" + "*9**300//9**300" * (n // 16),
}


def test_deep_nesting_is_evaluated():
    assert evaluate(HOSTILE["brackets"](10_000)) == 1
    assert evaluate("(" * 10_000 + "5" + " - 1)" * 10_000) == -9995


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_time_and_memory_grow_no_faster_than_the_text(make):
    def peak(text: str) -> int:
        tracemalloc.start()
        evaluate(text)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    # Quadratic cost would grow 64 times.
    assert growth(evaluate, make, 4_000, 8) < 32
    assert peak(make(32_000)) < 32 * peak(make(4_000)) + 100_000


def test_towers_of_powers_end_at_once():
    # Python would need more memory than there is.
    assert evaluate("9**9**9") is None
    assert evaluate("9**" * 1000 + "9") is None
    assert evaluate("(" * 50 + "9**9)" + "**9)" * 49) is None
