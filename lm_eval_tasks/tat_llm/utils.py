"""TAT-LLM's evaluation in lm-evaluation-harness: what the YAML files here call.

The harness loads this file by its path. It needs nothing else of this folder, so that
it works in a copy of the folder as well.
"""

import json


try:
    from lm_eval_tasks.data import fewshot, tatllm

    # The YAML files name these as functions of this module.
    from lm_eval_tasks.results import (  # noqa: F401
        first_response,
        no_answer_share,
        off_format_share,
    )
    from tableqa_metrics import find_answer
    from tableqa_metrics.scoring.tatllm_scores import tatllm_scores
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the TAT-LLM tasks need the package lm-eval-tableqa "
        f"(pip install lm-eval-tableqa): {error}"
    ) from error


class FewShotSampler(fewshot.FewShotSampler):
    """The harness's, which says where the examples lie if there are too few."""

    files = (
        "tat_llm/sft/STYLE/D/D_dataset_dev.json and "
        "tat_llm/original/D/D_dataset_dev.json"
    )


def load_finqa_stepwise(**metadata):
    return tatllm.load("finqa", "stepwise", **metadata)


def load_finqa_end_to_end(**metadata):
    return tatllm.load("finqa", "end_to_end", **metadata)


def load_tatqa_stepwise(**metadata):
    return tatllm.load("tatqa", "stepwise", **metadata)


def load_tatqa_end_to_end(**metadata):
    return tatllm.load("tatqa", "end_to_end", **metadata)


def load_tatdqa_stepwise(**metadata):
    return tatllm.load("tatdqa", "stepwise", **metadata)


def load_tatdqa_end_to_end(**metadata):
    return tatllm.load("tatdqa", "end_to_end", **metadata)


# The names of the rules say where an answer in the form of the prompt stands.


def process_finqa_stepwise(doc, results):
    return _scores(doc, results, "finqa", "step_table")


def process_finqa_end_to_end(doc, results):
    return _scores(doc, results, "finqa", "plain_answer_line")


def process_tatqa_stepwise(doc, results):
    return _scores(doc, results, "tatqa", "step_table")


def process_tatqa_end_to_end(doc, results):
    return _scores(doc, results, "tatqa", "answer_line")


def process_tatdqa_stepwise(doc, results):
    return _scores(doc, results, "tatdqa", "step_table")


def process_tatdqa_end_to_end(doc, results):
    return _scores(doc, results, "tatdqa", "answer_line")


def _scores(doc, results, dataset, prompted):
    response = first_response(results)
    thinking = doc.get("thinking", False)
    return tatllm_scores(
        json.loads(doc["gold"]),
        response,
        find_answer(response, thinking=thinking),
        dataset=dataset,
        prompted=prompted,
        thinking=thinking,
    )
