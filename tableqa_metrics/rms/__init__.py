"""TANQ's official table metric: relative mapping similarity (RMS) of two tables.

Paper: Akhtar et al. 2024, "TANQ: An open domain dataset of table answered questions"
(arXiv:2405.07765); the metric is DePlot's (Liu et al. 2022, arXiv:2212.10505). Released
script: `tanq_utils.py` of google-deepmind/tanq at commit
5c3c6c1b3b224f7f9262adbb3664bb8577d252c4, with `anls_metric` of google-research/pix2struct
(the edition in which a distance of exactly one half counts as no similarity).

`rms_score` equals `evaluate_tables` of that script on one sample, to the last bit. Each
table becomes datapoints, `"row name column name" -> cell`; the keys are assigned to each
other by their edit distance, and a pair then scores the similarity of its keys times
that of its cells. The prediction is also read transposed, and the better F1 counts.

What is worth knowing about it, all of it reproduced: a table of one column has no
datapoints, so that any two of them score 1; a repeated key keeps its last cell; a first
line that starts with `title|` is a title, not a header; a wrong year scores about 0.999;
`0` against `0.0`, and `nan` against itself, score 0.

Deviations, none of which changes a score that the released script can give:

- a prediction that is not a string, on which it fails, scores 0;
- tables for which it needs tens of gigabytes score 0 with a logged warning (`rms_score`
  states the bounds).

How a score comes about: `datapoints` reads a table; `few` scores small or nested ones;
`comparison` scores all others, of either reading, and leaves out the reading that cannot
win. What keys cost is found by `distances` (all pairs), by `numbered` (with `digits` and
`numbered_blocks`) and `names` (fewer pairs, where names are repeated) or by `search` (the
similar pairs only, by `subsequences` and `representatives`), `assignment` assigns them as
scipy does, and `cells` and `cell_pairs` compare the cells.
"""

from __future__ import annotations

import logging

from ..shown import shown
from ..table import PRF
from .comparison import Comparison, better_scores, most_f1
from .datapoints import (
    NO_DATAPOINTS,
    TooLarge,
    datapoints,
    fewest_transposed,
    read,
    transposed_datapoints,
)
from .few import Scores, easy_scores


_LOG = logging.getLogger(__name__)


def rms_score(reference: str, prediction: str | None) -> PRF:
    """Score a predicted table as the released TANQ script does.

    Parameters
    ----------
    reference, prediction
        Tables in TANQ's form, as stored in `answer_table` and `prediction_table`: a line
        a row, a bare pipe between cells. Any other text is read the same way.

    Returns
    -------
    PRF
        Each in [0, 1]; the paper prints 100 times the mean. A side without datapoints
        (empty, prose, a single row or column) makes no mistakes and finds nothing:
        precision 1 and recall 0 for such a prediction, precision 0 and recall 1 for such
        a reference, 1 throughout if both are. Not symmetric: precision and recall swap
        roles, only the prediction is transposed, and a relative error divides by the
        reference.

    Raises
    ------
    ValueError
        If the reference is not a string.

    Notes
    -----
    Let R and P be the numbers of datapoints. The likelier way to read the prediction
    takes R times P costs of keys, 4 to 15 ns each, and an optimal assignment; of the
    other way only as many longest common subsequences (7 ns each for keys of 30
    characters) as show that it cannot win, where it cannot. Where the keys of one side
    are all among the other's, time is linear.

    Memory: a matrix of R times P floats up to 256 MiB. Above that only the pairs of
    similar keys are kept, and the same assignment is found without the matrix. Bounds:
    R times P at most 2**30, 2**25 pairs of similar keys (about 2 GiB), and keys of
    512 MiB. Beyond them the score is 0 and a warning is logged, unless the keys of one
    side are all among the other's, or a bound is met only by a way of reading that
    cannot win.

    Examples
    --------
    >>> reference = "entity|composer|year\\nHigh Anxiety|John Morris|1977\\n"
    >>> rms_score(reference, "entity|year\\nHigh Anxiety|1977\\n")
    PRF(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    if not isinstance(reference, str):
        raise ValueError(  # noqa: TRY004 - every malformed reference raises this
            f"the reference is not a table as text: {shown(reference)}"
        )
    if not isinstance(prediction, str):
        return PRF(0.0, 0.0, 0.0)
    try:
        return PRF(*_scores(reference, prediction))
    except TooLarge as error:
        _LOG.warning("a table is too large for TANQ's metric and scores 0: %s", error)
        return PRF(0.0, 0.0, 0.0)


def _scores(reference: str, prediction: str) -> Scores:
    # A table of one column has no datapoints.
    gold = datapoints(read(reference)) if "|" in reference else NO_DATAPOINTS
    if "|" not in prediction:
        return float(True), float(not gold.cells), float(not gold.cells)
    table = read(prediction)
    upright = datapoints(table)
    first = easy_scores(gold.cells, upright.cells)
    if first == (1.0, 1.0, 1.0):
        return first
    try:
        transposed = transposed_datapoints(table)
    except TooLarge:
        first = first or Comparison(gold, upright).scores
        # A reference without datapoints scores an F1 of 0 against that many.
        most = most_f1(len(gold.cells), fewest_transposed(table))
        if gold.cells and most >= first[2]:
            raise
        return first
    second = easy_scores(gold.cells, transposed.cells)
    if first and second:
        return first if first[2] > second[2] else second
    return better_scores(
        Comparison(gold, transposed, second), Comparison(gold, upright, first)
    )
