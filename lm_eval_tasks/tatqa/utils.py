"""TAT-QA in lm-evaluation-harness: what the YAML files of this folder call.

The harness loads this file by its path. It needs nothing else of this folder but the
samples, so that it works in a copy of the folder as well.
"""

import json
from pathlib import Path


try:
    from lm_eval_tasks.context.tat import WithContext, tat_context
    from lm_eval_tasks.data import fewshot, tatqa

    # The YAML files name these as functions of this module.
    from lm_eval_tasks.prompts import answer_line, hash_line
    from lm_eval_tasks.results import (  # noqa: F401
        first_response,
        no_answer_share,
        off_format_share,
    )
    from tableqa_metrics import find_answer
    from tableqa_metrics.scoring.answer_scores import tat_scores
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the TAT-QA tasks need the package lm-eval-tableqa "
        f"(pip install lm-eval-tableqa): {error}"
    ) from error


class FewShotSampler(fewshot.FewShotSampler):
    """The harness's, which says where the examples lie if there are too few."""

    files = "tatqa/tatqa_dataset_train.json"


def load(**metadata):
    """Return the splits, each document with the context that the prompts show."""
    return WithContext(tatqa.load(**metadata), tat_context)


def load_sample(**metadata):
    """Return the invented records of this folder as a test split."""
    records = Path(__file__).parent / "samples" / "records.json"
    own = {"data_dir": None, "split": None, "data_files": str(records)}
    return load(**{**metadata, **own})


def doc_to_target(doc):
    """Write the reference as the line that the prompt asks for."""
    return answer_line(json.loads(doc["gold"]))


def doc_to_target_zeroshot(doc):
    """Write the reference as the values alone."""
    return hash_line(json.loads(doc["gold"])["answer"])


def process_results(doc, results):
    """Score one response; each key of `metric_list` is there for every document."""
    return _scores(doc, results, prompted="answer_line")


def process_results_zeroshot(doc, results):
    """Score one response that is asked to be the answer alone."""
    return _scores(doc, results, prompted="bare")


def _scores(doc, results, prompted):
    found = find_answer(first_response(results), thinking=doc.get("thinking", False))
    return tat_scores(json.loads(doc["gold"]), found, prompted=prompted)
