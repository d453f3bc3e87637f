"""Precision, recall and F1 over the cells of a table, as TANQ's evaluation card states it.

The card's recipe is the overlap of two sets of cells. Ours takes it literally: the body
cells of each table as a set of stripped strings. The header is not counted, where a cell
stands does not matter, and a cell that is written twice counts once. An empty cell is
the empty string, a cell like any other.

This is not the benchmark's own metric (see `rms`): it knows no similar cells and no
pairing of a value with its row and column.
"""

from __future__ import annotations

from .table import PRF, Table, checked_reference, is_table


def cell_score(reference: Table, prediction: Table | None) -> PRF:
    """Compare the body cells of two tables as sets of strings.

    Parameters
    ----------
    reference
        The gold table.
    prediction
        The table found in a response, or `None` where there was none. What is no table
        of text scores 0 as well.

    Returns
    -------
    PRF
        Each in [0, 1]: the share of the predicted cells that are in the reference, the
        share of the reference's cells that were predicted, and their harmonic mean.
        Order does not matter. 0 throughout without a prediction; with a table on both
        sides but no cell in the body of one, 0 throughout, and 1 if neither has any.
        F1 is symmetric; precision and recall swap with the tables.

    Raises
    ------
    ValueError
        If the reference is no table of text.

    Examples
    --------
    >>> from tableqa_metrics import Table
    >>> reference = Table(("entity", "year"), (("High Anxiety", "1977"),))
    >>> cell_score(reference, Table(("year",), (("1977",), ("1978",), ("1979",))))
    PRF(precision=0.3333333333333333, recall=0.5, f1=0.4)
    """
    expected = _cells(checked_reference(reference))
    if not is_table(prediction):
        return PRF(0.0, 0.0, 0.0)
    found = _cells(prediction)
    if not expected and not found:
        return PRF(1.0, 1.0, 1.0)
    common = len(expected & found)
    if not common:
        return PRF(0.0, 0.0, 0.0)
    return PRF(
        common / len(found),
        common / len(expected),
        2 * common / (len(found) + len(expected)),
    )


def _cells(table: Table) -> frozenset[str]:
    return frozenset(cell.strip() for row in table.rows for cell in row)
