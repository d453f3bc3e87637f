"""The value F1 of two tiny tables, by trying every pairing of columns and of rows.

The slow twin of `tableqa_metrics.value.table`, written from the definition in its
docstring. It shares with it how single values are read and compared, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, zip_longest

import editdistance

from tableqa_metrics.value.enumeration import parts_of
from tableqa_metrics.value.equality import pair_values, same_value
from tableqa_metrics.value.reading import Quantity, read_value
from tableqa_metrics.value.remarks import split_remark, stated_unit
from tableqa_metrics.value.text import fold_text
from tableqa_metrics.written.money import currencies
from tableqa_metrics.written.numbers import parse_number


Scores = tuple[float, float, float]
ZERO: Scores = (0.0, 0.0, 0.0)


def value_plain(gold: list[list[str]], found: list[list[str]]) -> list[Scores]:
    """Precision, recall and F1; the first line of either side is its header.

    There are several where it is left open which columns are paired.
    """
    if says_nothing(gold):
        return [ZERO]
    turned = [list(line) for line in zip_longest(*found)]
    return [
        of_two_readings(one, other)
        for one in compare(gold, found)
        for other in compare(gold, turned)
    ]


def of_two_readings(*readings: tuple[float, Scores]) -> Scores:
    best = max(most for most, _ in readings)
    scores = [score for most, score in readings if abs(most - best) <= 1e-9 * best]
    return max(scores, key=lambda score: score[2])


def says_nothing(lines: list[list[str]]) -> bool:
    return all(cell.lower() in BLANK for line in lines[1:] for cell in line)


def compare(
    gold: list[list[str]], found: list[list[str | None]]
) -> list[tuple[float, Scores]]:
    """What names that agree could earn at most, and the scores, for one reading."""
    if not found:
        return [(0.0, ZERO)]
    return [
        score_columns(gold, found, dict(pairs)) for pairs in best_columns(gold, found)
    ]


def score_columns(gold, found, columns: dict[int, int]) -> tuple[float, Scores]:
    alone = max(map(len, gold)) == 1
    key = columns.pop(0, None)
    if key is None:
        left = [j for j in range(len(found[0])) if j not in columns.values()]
        if not left:
            return 0.0, ZERO
        names = {read_value(row[0]) for row in gold[1:] if row}

        def known(j):
            cells = [row[j] for row in found[1:] if j < len(row)]
            return sum(read_value(c) in names for c in cells if c is not None)

        key = max(left, key=lambda j: (known(j), -j))
    weights = {
        (i, j): likeness(gold[0][i], found[0][j] or "", scales=True)
        for i, j in columns.items()
    }
    if alone:
        weights = {(0, key): 1.0}
    if not weights:
        return 0.0, ZERO
    rows = []
    for line in gold[1:]:
        rows.append(
            [named(cell(line, 0), cell(other, key), alone) for other in found[1:]]
        )
    most = sum(weights.values()) * sum(max(row, default=0.0) for row in rows)
    earned = [
        [
            rows[i][j]
            * sum(
                weight
                * below(
                    cell(gold[0], a), cell(found[0], b), cell(line, a), cell(other, b)
                )
                for (a, b), weight in weights.items()
            )
            for j, other in enumerate(found[1:])
        ]
        for i, line in enumerate(gold[1:])
    ]
    total = max(
        sum(earned[i][j] for i, j in pairs)
        for pairs in pairings(len(earned), len(found) - 1)
    )
    counted = [
        sum(c is not None for line in side[1:] for j, c in enumerate(line) if j != skip)
        for side, skip in (
            (gold, None if alone else 0),
            (found, None if alone else key),
        )
    ]
    if not total:
        return most, ZERO
    wanted, given = counted
    return most, (total / given, total / wanted, 2 * total / (given + wanted))


def named(gold: str | None, found: str | None, alone: bool) -> float:
    if gold is None or found is None:
        return 0.0
    return 1.0 if alone else likeness(gold, found)


def cell(line, place):
    return line[place] if place < len(line) else None


def best_columns(gold, found) -> list[list[tuple[int, int]]]:
    """The ways to pair the columns whose headers agree most.

    Of equal ones those with most headers that are the same with their remarks, then those
    that share most cells, if there are equal headers, then the most in order.
    """
    headers = gold[0], [header or "" for header in found[0]]
    width = len(headers[0]) + len(headers[1])
    like = {
        (i, j): likeness(a, b, scales=True)
        for i, a in enumerate(headers[0])
        for j, b in enumerate(headers[1])
    }
    whole = {(i, j): same_whole(headers[0][i], headers[1][j]) for i, j in like}
    order = {(i, j): 1 - abs(i - j) / width for i, j in like}
    keys = [j for i, j in like if i == 0 and like[i, j]]
    key = max(keys, key=lambda j: (like[0, j], whole[0, j], order[0, j]), default=0)
    some_equal = any(map(any_equal, headers))

    def shared(i, j):
        wanted, given = (
            Counter(
                (a if a is None else read_value(a), b if b is None else read_value(b))
                for line in lines[1:]
                for a, b in [(cell(line, name), cell(line, place))]
            )
            for lines, name, place in ((gold, 0, i), (found, key, j))
        )
        return (wanted & given).total() if some_equal else 0

    def worth(pairs):
        agreed, whole_ones, ordered = (
            sum(map(by.__getitem__, pairs)) for by in (like, whole, order)
        )
        cells = sum(shared(*pair) for pair in pairs)
        return round(agreed, 9), whole_ones, cells, round(ordered, 9)

    every = [
        [pair for pair in pairs if like[pair]]
        for pairs in pairings(len(headers[0]), len(headers[1]))
    ]
    best = max(map(worth, every))
    return [pairs for pairs in every if worth(pairs) == best]


def same_whole(gold: str, found: str) -> bool:
    if read_value(gold) == read_value(found):
        return True
    a, b = unit(gold), unit(found)
    return bool(a and b) and (without_remark(gold), a.name, a.factor, a.currency) == (
        without_remark(found),
        b.name,
        b.factor,
        b.currency,
    )


def any_equal(names: list[str]) -> bool:
    """Whether two names are equal, be it but for the remark of one or both."""
    values = [read_value(name) for name in names]
    values += [bare for name in names if (bare := without_remark(name)) is not None]
    return len(set(values)) < len(values)


def pairings(height: int, width: int) -> list[list[tuple[int, int]]]:
    if height <= width:
        return [
            list(enumerate(chosen)) for chosen in permutations(range(width), height)
        ]
    return [
        [(i, j) for j, i in enumerate(chosen)]
        for chosen in permutations(range(height), width)
    ]


def likeness(gold: str, found: str, scales: bool = False) -> float:
    a, b = read_value(gold), read_value(found)
    units = unit(gold), unit(found)
    excluded = all(units) and (
        units[0].excludes(units[1])
        or (not scales and units[0].factor != units[1].factor)
    )
    if all(units) and not excluded:
        bare = without_remark(gold), without_remark(found)
        if same_value(*bare):
            return 1.0
    for x in (a, without_remark(gold)):
        for y in (b, without_remark(found)):
            one_as_written = (x is a or y is b) and x is not None and y is not None
            if one_as_written and same_value(x, y):
                return 1.0
    if is_number(a) or is_number(b):
        return 0.0
    if excluded:
        return 0.0
    left, right = fold_text(gold), fold_text(found)
    digits = [c for c in left if c.isdigit()], [c for c in right if c.isdigit()]
    if all(digits) and digits[0] != digits[1]:
        return 0.0
    longest = max(len(left), len(right))
    similarity = 1 - editdistance.eval(left, right) / longest if longest else 1.0
    return similarity if similarity > 0.5 else 0.0


def without_remark(name: str):
    if not name.endswith(")") or "(" not in name:
        return None
    rest = name[: name.rindex("(")]
    return read_value(rest) if rest.strip() else None


def unit(name: str):
    parted = split_remark(name)
    return stated_unit(parted[1]) if parted else None


def below(
    header: str | None, other: str | None, gold: str | None, found: str | None
) -> float:
    """How far two cells agree that stand below two headers."""
    if gold is None or found is None:
        return 0.0
    wanted, given = unit(header or ""), unit(other or "")
    golds, founds = in_unit(gold, wanted), in_unit(found, given)
    one_scale = not (wanted and given) or wanted.factor == given.factor
    other_money = [
        u and u.currency and c and not u.currency & c
        for u, c in ((wanted, currencies(found)), (given, currencies(gold)))
    ]
    both_plain = is_plain(gold) and is_plain(found)
    if not one_scale or not both_plain or any(other_money):
        return agreement(golds, founds)
    ways = (gold, found), (golds, found), (gold, founds)
    return max(agreement(*way) for way in ways)


def in_unit(text: str, unit) -> str:
    return text + unit.suffix if unit and is_plain(text) else text


def is_plain(text: str) -> bool:
    number = parse_number(text)
    return number is not None and number.unit == 1 and not number.percent


def is_number(value) -> bool:
    return not isinstance(value, str) and not (
        isinstance(value, Quantity) and value.unit
    )


def agreement(gold: str | None, found: str | None) -> float:
    if gold is None or found is None:
        return 0.0
    if same_value(read_value(gold), read_value(found)):
        return 1.0
    if gold.lower() in BLANK and found.lower() in BLANK:
        return 1.0
    for at_and in (True, False):
        a = list(dict.fromkeys(map(read_value, parts_of(gold, at_and=at_and))))
        b = list(dict.fromkeys(map(read_value, parts_of(found, at_and=at_and))))
        f1 = 2 * len(pair_values(a, b)) / (len(a) + len(b))
        if f1 == 1.0 or not at_and:
            return f1
    raise AssertionError("unreachable")


BLANK = ("", "-", "n/a", "unknown")
