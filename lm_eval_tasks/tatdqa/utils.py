"""TAT-DQA in lm-evaluation-harness: what the YAML files of this folder call.

The harness loads this file by its path. It needs nothing else of this folder but the
samples, so that it works in a copy of the folder as well.
"""

import json
from pathlib import Path


try:
    # The YAML files name most of these as functions of this module.
    from lm_eval_tasks.data import fewshot
    from lm_eval_tasks.data.tatdqa import load
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
        f"the TAT-DQA tasks need the package lm-eval-tableqa "
        f"(pip install lm-eval-tableqa): {error}"
    ) from error


class FewShotSampler(fewshot.FewShotSampler):
    """The harness's, which says where the examples lie if there are too few."""

    files = (
        "tatdqa/tatdqa_dataset_dev.json and "
        "tat_llm/sft/end_to_end/tatdqa/tatdqa_dataset_dev.json"
    )


def load_sample(**metadata):
    """Return the invented records of this folder as a test split."""
    samples = Path(__file__).parent / "samples"
    names = {"gold": "records.json", "prompts": "prompts.json"}
    files = {part: str(samples / name) for part, name in names.items()}
    own = {"data_dir": None, "split": None, "data_files": {"test": files}}
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
