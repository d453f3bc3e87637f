"""FinQA in lm-evaluation-harness: what the YAML files of this folder call.

The harness loads this file by its path. It needs nothing else of this folder but the
samples, so that it works in a copy of the folder as well.
"""

import json
from pathlib import Path


try:
    from lm_eval_tasks.context.tat import WithContext, finqa_context
    from lm_eval_tasks.data import fewshot, finqa

    # The YAML files name these as functions of this module.
    from lm_eval_tasks.results import (  # noqa: F401
        first_response,
        mean_of_present,
        no_answer_share,
        off_format_share,
    )
    from tableqa_metrics import find_answer, find_program
    from tableqa_metrics.scoring.answer_scores import (
        answer_text,
        finqa_program_scores,
        finqa_scores,
    )
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the FinQA tasks need the package lm-eval-tableqa "
        f"(pip install lm-eval-tableqa): {error}"
    ) from error


class FewShotSampler(fewshot.FewShotSampler):
    """The harness's, which says where the examples lie if there are too few."""

    files = "finqa/train.json"


def load(**metadata):
    """Return the splits, each document with the context that the prompts show."""
    return WithContext(finqa.load(**metadata), finqa_context)


def load_sample(**metadata):
    """Return the invented records of this folder as a test split."""
    records = Path(__file__).parent / "samples" / "records.json"
    own = {"data_dir": None, "split": None, "data_files": str(records)}
    return load(**{**metadata, **own})


def doc_to_target(doc):
    """Write the reference as the line that the prompt asks for."""
    return f"The answer is: {doc_to_target_zeroshot(doc)}"


def doc_to_target_zeroshot(doc):
    """Write the reference as the answer alone."""
    return answer_text(json.loads(doc["gold"])["exe_ans"])


def doc_to_target_program(doc):
    """Write the reference as the line with the program that the prompt asks for."""
    return f"Program: {json.loads(doc['gold'])['program']}"


def process_results(doc, results):
    """Score one response; each key of `metric_list` is there for every document."""
    return _scores(doc, first_response(results), prompted="plain_answer_line")


def process_results_zeroshot(doc, results):
    """Score one response that is asked to be the answer alone."""
    return _scores(doc, first_response(results), prompted="bare")


def process_results_program(doc, results):
    """Score one response that is asked to hold a program."""
    program = find_program(first_response(results), thinking=doc.get("thinking", False))
    return finqa_program_scores(_record(doc), program, prompted="marked")


def _scores(doc, response, prompted):
    thinking = doc.get("thinking", False)
    found = find_answer(response, thinking=thinking)
    program = find_program(response, thinking=thinking)
    return finqa_scores(_record(doc), found, program, prompted=prompted)


def _record(doc):
    return {"id": doc["id"], "table": doc["table"], "qa": json.loads(doc["gold"])}
