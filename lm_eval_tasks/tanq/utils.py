"""TANQ in lm-evaluation-harness: what the YAML files of this folder call.

The harness loads this file by its path. It needs nothing else of this folder but the
samples, so that it works in a copy of the folder as well.
"""

from pathlib import Path


try:
    from lm_eval_tasks.context import open_book, tanq as context
    from lm_eval_tasks.data import fewshot, tanq

    # The YAML files name these as functions of this module.
    from lm_eval_tasks.results import (  # noqa: F401
        first_response,
        mean_of_present,
        no_table_share,
        off_format_share,
    )
    from tableqa_metrics import find_table
    from tableqa_metrics.scoring.table_scores import tanq_scores
    from tableqa_metrics.table import parse_serialized
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the TANQ tasks need the package lm-eval-tableqa "
        f"(pip install lm-eval-tableqa): {error}"
    ) from error


class FewShotSampler(fewshot.FewShotSampler):
    """The harness's, which says where the examples lie if there are too few."""

    files = "tanq/dev.jsonl"


def load_closed_book(**metadata):
    """Return the splits without any context."""
    return context.closed_book(tanq.load(**metadata))


def load_oracle(*, max_context_chars, **metadata):
    """Return the splits with each question's own proofs as its context."""
    return context.oracle(tanq.load(**metadata), max_context_chars)


def load_open_book(*, max_context_chars, top_k, passages=None, corpus=None, **metadata):
    """Return the splits with retrieved passages as the context of each question."""
    return open_book.open_book(
        tanq.load(**metadata),
        max_chars=max_context_chars,
        top_k=top_k,
        passages=passages,
        corpus=corpus,
    )


def load_sample(*, max_context_chars, **metadata):
    """Return the invented records of this folder as a test split of `tanq_oracle`."""
    records = Path(__file__).parent / "samples" / "records.jsonl"
    own = {"data_dir": None, "split": None, "data_files": str(records)}
    splits = tanq.load(**{**metadata, **own})
    return context.oracle(splits, max_context_chars, task="tanq_sample")


def doc_to_target(doc):
    """Write the reference in the form that the prompt asks for."""
    return parse_serialized(doc["answer_table"]).to_markdown()


def process_results(doc, results):
    """Score one response; each key of `metric_list` is there for every document."""
    return tanq_scores(
        doc["answer_table"],
        find_table(first_response(results), thinking=doc.get("thinking", False)),
        question_type=doc["question_type"],
        truncated=doc["truncated"],
    )


def process_open_book_results(doc, results):
    """Score one response, beside how much of what it needed had been retrieved."""
    return process_results(doc, results) | {"retrieval_recall": doc["retrieval_recall"]}
