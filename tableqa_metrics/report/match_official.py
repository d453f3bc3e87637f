"""Which cells TANQ's official metric and the recipe paired (`rms`, `cell_f1`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..rms.cells import cell_similarity
from ..rms.comparison import Comparison
from ..rms.datapoints import (
    Datapoints,
    Lines,
    TooLarge,
    datapoints,
    read,
    transposed_datapoints,
)
from ..rms.few import easy_scores
from ..table import Table
from .cells import (
    EXTRA_CELL,
    MATCH,
    MISSING_CELL,
    OTHER_NAME,
    PARTIAL,
    WRONG_VALUE,
    Cell,
    Grid,
    Place,
    TableMatch,
)


_TITLE: Final[Place] = (-1, 0)  # a title is a datapoint that is no cell


def match_by_rms(reference: str, prediction: str) -> TableMatch | None:
    r"""Pair the cells of two tables as `rms_score` does, read from the same texts.

    The cells that count are the datapoints, of equal keys the last. Two kinds of them
    are no cells: a title, at the place (-1, 0), and, where the prediction is read with
    its lines as columns, what short lines are filled up with.

    Returns
    -------
    TableMatch or None
        `None` where the tables are too large for the metric, which then scores 0.

    Examples
    --------
    >>> match = match_by_rms("entity|year\nPier|1987\n", "entity|year\nPier|1978\n")
    >>> match.prediction_cells[1, 1].status
    'partial'
    """
    try:
        gold, found = read(reference), read(prediction)
        points = datapoints(gold)
        upright, turned = (
            Comparison(points, other, easy_scores(points.cells, other.cells))
            for other in (datapoints(found), transposed_datapoints(found))
        )
        # The F1 decides.
        transposed = turned.scores[2] > upright.scores[2]
        best = turned if transposed else upright
        pairs = best.assigned()
    except TooLarge:
        return None
    gold_texts, found_texts = (
        list(side.cells.values()) for side in (points, best.prediction)
    )
    golds = list(_places(gold, points, transposed=False))
    founds = list(_places(found, best.prediction, transposed=transposed))
    gold_cells = {place: Cell(MISSING_CELL) for place in golds}
    found_cells = {place: Cell(EXTRA_CELL) for place in founds}
    for i, j, similarity in pairs:
        likeness = cell_similarity(gold_texts[i], found_texts[j])
        earned = similarity * likeness
        if likeness == 1.0:
            status = MATCH if earned == 1.0 else OTHER_NAME
        else:
            status = PARTIAL if earned else WRONG_VALUE
        gold_cells[golds[i]] = Cell(status, founds[j], earned)
        found_cells[founds[j]] = Cell(status, golds[i], earned)
    return TableMatch(
        _grid(reference, gold),
        _grid(prediction, found),
        gold_cells,
        found_cells,
        transposed,
    )


def match_by_text(reference: Table, prediction: Table) -> TableMatch:
    """Mark the body cells that `cell_score` finds on both sides.

    Of equal cells the first one counts.
    """
    gold: Grid = (reference.header, *reference.rows)
    found: Grid = (prediction.header, *prediction.rows)
    golds, founds = _first_places(gold), _first_places(found)
    return TableMatch(
        gold,
        found,
        _marked(gold, golds, founds, MISSING_CELL),
        _marked(found, founds, golds, EXTRA_CELL),
    )


def _places(table: Lines, points: Datapoints, *, transposed: bool) -> Iterator[Place]:
    """Yield where the cell of each datapoint stands, in the order of the datapoints."""
    places = {} if table.title is None else {"title": _TITLE}
    if table.rows:
        header, body = table.rows[0], list(enumerate(table.rows[1:], 1))
        width = max(map(len, table.rows)) if transposed else len(header)
        header = header + [""] * (width - len(header))
        if transposed:
            for j in range(1, width):
                places |= {f"{header[j]} {row[0]}": (i, j) for i, row in body}
        else:
            for i, row in body:
                for j in range(1, min(width, len(row))):
                    places[f"{row[0]} {header[j]}"] = (i, j)
    for key in points.cells:
        yield places[key]


def _grid(text: str, lines: Lines) -> Grid:
    """Split a text into the cells that the metric reads, which folds their case."""
    rows = text.splitlines()[-len(lines.rows) :] if lines.rows else []
    return tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)


def _first_places(grid: Grid) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for i, row in enumerate(grid[1:], 1):
        for j, cell in enumerate(row):
            places.setdefault(cell.strip(), (i, j))
    return places


def _marked(
    grid: Grid, own: Mapping[str, Place], other: Mapping[str, Place], absent: str
) -> dict[Place, Cell]:
    cells = {}
    for i, row in enumerate(grid[1:], 1):
        for j, text in enumerate(row):
            counts = own[text.strip()] == (i, j)
            partner = other.get(text.strip())
            cells[i, j] = (
                Cell(absent, counts=counts)
                if partner is None
                else Cell(MATCH, partner, 1.0, counts)
            )
    return cells
