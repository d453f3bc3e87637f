"""Value F1: a predicted table against the gold one, cell by cell and by type.

Our own corrected metric for TANQ; the released one is `tableqa_metrics.rms`, whose
weaknesses (its module docstring lists them) this one does not share.

Definition
    Columns are paired by header and rows by the cell in the key column, which is the
    reference's first. Every cell outside the key column counts once, in precision where
    it was predicted and in recall where it was wanted. A pair of cells earns the
    agreement of the cells times that of their row names and headers. Columns are paired
    so that headers agree most, rows so that cells earn most. A table of one column has
    no key: its cells are compared themselves.
Agreement of names and headers
    1 where they have the same value (`tableqa_metrics.value`), also but for a remark in
    brackets that only one of them has: "Posse (1975 film)", "area (km²)". For two texts
    otherwise one minus their edit distance relative to the longer, 0 from one half on,
    as in the official metric; but 0 where digits in both differ, where they state units
    that differ, and where either is a number or a date, so that 2008 is not 2010, nor
    "sales 2008" "sales 2010", nor "area (km²)" "area (mi²)".
Agreement of cells
    1 where they have the same value or the same set of values; else the F1 of the two
    sets of values that stand between commas, semicolons and line breaks. There is no
    credit for a text, number or date that is nearly right. Two cells that say that
    there is nothing ("", "-", "n/a", "not available") agree. A unit, scale or currency may
    stand in the header instead of the cell: "480" under "area (km²)" is "480 km²", "5"
    under "sales ($ million)" is "$5 million", and also 5000 under "sales ($ thousand)";
    so it may without brackets ("area, km²", "area in km²", "area_km2").
The predicted key column
    is the one under the reference's first header; where there is none, of the columns
    that are left the one with the most of the reference's row names, else the first.
Equal headers
    are paired so that most are equal with their remarks ("area" and "area (km²)" in both
    tables), then so that the columns share most cells of equally named rows, else in the
    order of the columns.
Transposition
    The prediction is also read with its lines as columns. Of the two readings the one
    counts whose names can earn more, and if neither can, the one with the better F1.
Empty tables
    A table without any cell to compare scores 0, whatever the other is; so does a
    reference that says nothing in any cell, row names included.
More names
    that a prediction gains may decide that it is read the other way; as long as it is
    read the same way, a cell, row or column that is wrong never raises the precision.

Units are compared by name, whatever the spelling (`value.units`), and not converted.
pint and quantulum3 were weighed and left out: TANQ asks for its conversions ("in km"),
so that an amount in another unit is a wrong answer; its ten public references hold no
unit at all; and a letter such as m or C is one unit to a library and may be another in a
table (millions, degrees), so that a wrong cell could be taken for a right one.
"""

from __future__ import annotations

from ..table import PRF, Table, checked_reference, is_table
from .pairing import score_tables


def value_table_score(reference: Table, prediction: Table | None) -> PRF:
    """Score a predicted table by the values in its cells.

    Parameters
    ----------
    reference, prediction
        Tables; ragged rows count with the cells that they have. `None`, where a
        response held no table, scores 0, and so does what is no table of text.

    Returns
    -------
    PRF
        In [0, 1]; all 0 where either table has no cell to compare. Time and memory grow
        with the number of cells, and with the pairs of rows, at most
        `value.names.MAX_PAIRS`, times the columns of the reference.

    Raises
    ------
    ValueError
        If the reference is no table of text.

    Examples
    --------
    >>> gold = Table(("entity", "opened"), (("Mill House", "5 May 2006"), ("Pier", "1987")))
    >>> guess = Table(("opened", "entity"), (("1988", "Pier"), ("2006-05-05", "mill house")))
    >>> value_table_score(gold, guess)
    PRF(precision=0.5, recall=0.5, f1=0.5)
    """
    gold = checked_reference(reference)
    if not is_table(prediction):
        return PRF(0.0, 0.0, 0.0)
    return score_tables(gold, prediction)
