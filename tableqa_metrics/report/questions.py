"""A question as a reader needs it: what was asked, about what, and what is right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..files.proofs import Proof
from ..files.records import FINQA, TANQ, as_rows, as_text, as_texts, tanq_question_type
from ..scoring.breakdowns import (
    NO_DEFECT,
    UNKNOWN,
    defect_labels,
    size_label,
    steps_label,
)


# One part of a context, ready for JSON: a table or a text, with its evidence; of a proof,
# also where it stands and what it proves.
Block = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A question of a benchmark.

    Parameters
    ----------
    id, text
        Its id and the question itself.
    facets
        By what it can be told from others, for filters: the name of each, and its values.
    reference
        The answer: for TANQ the table in its own form, else a value or a list of values.
    scale
        The reference's scale, where the benchmark has one.
    gold
        The record that scorers read.
    notes
        What else the record says that explains the answer, such as its derivation.
    context
        Tables and texts that the question is about; of TANQ what the prompt showed, or
        the proofs where only the references are known.
    table
        FinQA's, which programs read.
    """

    id: str
    text: str
    facets: Mapping[str, tuple[str, ...]]
    reference: Any
    scale: str
    gold: Mapping[str, Any]
    notes: Mapping[str, str]
    context: tuple[Block, ...]
    table: Sequence[Sequence[str]] = ()


def read_question(benchmark: str, name: str, doc: Mapping[str, Any] | None) -> Question:
    """Make a question of a document of a harness task.

    Parameters
    ----------
    benchmark
        A name of `records.BENCHMARKS`.
    name
        The question's id.
    doc
        Its document; without one the question has nothing but its id.

    Raises
    ------
    ValueError
        If the document lacks what its benchmark has.
    """
    if doc is None:
        return Question(name, "", {}, None, "", {}, {}, ())
    try:
        gold = json.loads(doc["gold"])
        if benchmark == TANQ:
            question = _tanq(name, doc, gold)
        elif benchmark == FINQA and "exe_ans" in gold:
            question = _finqa(name, doc, gold)
        else:
            question = _tat(name, doc, gold)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(
            f"the document of {name} is none of {benchmark}: {error!r}"
        ) from error
    labels = defect_labels(benchmark, name)
    known = tuple("none" if label == NO_DEFECT else label for label in labels)
    return replace(question, facets={**question.facets, "Known defect": known})


def own_context(
    benchmark: str, question: Question, doc: Mapping[str, Any] | None
) -> tuple[Block, ...] | None:
    """Return what a run was shown, where it is something else than `question.context`.

    Runs of one question can differ in it: TANQ is asked with and without a context, and
    TAT-LLM's prompts hold one of their own. `None` says that it is the same, or unknown.
    """
    if doc is None or not doc.keys() & {"context", "prompt"}:
        return None
    own = read_question(benchmark, question.id, doc).context
    return None if own == question.context else own


def _tanq(name: str, doc: Mapping[str, Any], gold: Mapping[str, Any]) -> Question:
    skills = tuple(dict.fromkeys(as_texts(doc.get("skills")))) or (UNKNOWN,)
    return Question(
        id=name,
        text=as_text(doc["question"]),
        facets={
            "Question type": (tanq_question_type(name),),
            "Skill": skills,
            "Cells of the table": (size_label(doc["answer_table"]),),
        },
        reference=doc["answer_table"],
        scale="",
        gold=gold,
        notes={},
        context=(
            *_blocks([], [doc.get("context")]),
            *_proofs(doc.get("proofs") or ()),
        ),
    )


def _proofs(proofs: Sequence[Proof]) -> tuple[Block, ...]:
    """Return proofs as blocks, those of a page together."""
    pages = {page: n for n, page in enumerate(dict.fromkeys(p["page"] for p in proofs))}
    return tuple(map(_proof, sorted(proofs, key=lambda proof: pages[proof["page"]])))


def _proof(proof: Proof) -> Block:
    place = (proof["page"], proof["parent_section"], proof["section"], proof["caption"])
    told = (
        proof["property"] and f"for {proof['property']}",
        "" if proof["filter_pass"] else "of a row that fails the filter",
    )
    block: Block = {
        "proof": " › ".join(filter(None, place)),
        "of": ", ".join(filter(None, told)),
    }
    if proof["rows"]:
        return {**block, "table": proof["rows"], "rows": []}
    fact = ": ".join(filter(None, (proof["key"], proof["value"])))
    return {**block, "text": proof["text"] or fact, "evidence": False}


def _tat(name: str, doc: Mapping[str, Any], gold: Mapping[str, Any]) -> Question:
    scale = as_text(gold.get("scale"))
    related = {as_text(order) for order in gold.get("rel_paragraphs") or ()}
    texts = as_texts(doc.get("paragraphs") or doc.get("document") or doc.get("prompt"))
    evidence = {i for i in range(len(texts)) if str(i + 1) in related}
    facets = {
        "Answer type": gold.get("answer_type"),
        "Source": gold.get("answer_from"),
        "Scale": scale or "none",
    }
    return Question(
        id=name,
        text=as_text(doc["question"]),
        facets={name: (as_text(v),) for name, v in facets.items() if v},
        reference=gold["answer"],
        scale=scale,
        gold=gold,
        notes=_notes(gold, ("derivation",)),
        context=_blocks(as_rows(doc.get("table")), texts, evidence),
    )


def _finqa(name: str, doc: Mapping[str, Any], gold: Mapping[str, Any]) -> Question:
    evidence = set(gold.get("gold_inds") or ())
    where = {name.split("_")[0] for name in evidence} & {"table", "text"}
    before, after = as_texts(doc.get("pre_text")), as_texts(doc.get("post_text"))
    rows = {i for i in range(len(doc["table"])) if f"table_{i}" in evidence}
    texts = {i for i in range(len(before) + len(after)) if f"text_{i}" in evidence}
    later = {i - len(before) for i in texts}
    return Question(
        id=name,
        text=as_text(doc["question"]),
        facets={
            "Steps": (steps_label(as_text(gold.get("program"))),),
            "Evidence": ("-".join(sorted(where)) or UNKNOWN,),
        },
        reference=gold["exe_ans"],
        scale="",
        gold=gold,
        notes=_notes(gold, ("program", "answer")),
        context=(
            *_blocks([], before, texts),
            *_blocks(as_rows(doc["table"]), [], rows),
            *_blocks([], after, later),
        ),
        table=as_rows(doc["table"]),
    )


def _notes(gold: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    return {name: as_text(gold[name]) for name in names if gold.get(name)}


def _blocks(
    table: Sequence[Sequence[str]],
    texts: Iterable[str | None],
    evidence: Iterable[int] = (),
) -> tuple[Block, ...]:
    """Return a table and texts; `evidence` numbers the rows if there are no texts."""
    marked = sorted(set(evidence))
    kept = [(i, text) for i, text in enumerate(texts) if text]
    blocks: list[Block] = []
    if table:
        blocks.append({"table": table, "rows": [] if kept else marked})
    blocks += [{"text": text, "evidence": i in marked} for i, text in kept]
    return tuple(blocks)
