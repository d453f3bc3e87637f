"""TAT-QA's exact match and F1, slow and plain: what the fast code must equal.

Written from what the two released editions do, step by step, with their patterns as
they are (quadratic on long runs of digits), numpy's rounding and scipy's assignment.
Raises where they raise.
"""

import re
import string
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment


IGNORED_IN_NUMBERS = set("'\"\\$€£¥%(),[]")
FACTORS = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "percent": 0.01,
}


def factor(words: str) -> int | float:
    for word, value in FACTORS.items():
        if word in words.lower():
            return value
    return 1


def without(text: str, characters: set[str]) -> str:
    return "".join(c for c in text if c not in characters)


def looks_numeric(text: str) -> bool:
    words = [without(word, IGNORED_IN_NUMBERS) for word in text.split()]
    words = [word for word in words if word]
    if not words:
        return False
    try:
        value = float(words[0])
    except ValueError:
        return False
    if np.isnan(value):
        return False
    return len(words) == 1 or factor(words[1]) != 1


def number_in(text: str, tatllm: bool) -> int | float | None:
    numbers = re.findall(
        r"[+-]?\d+(?:\.\d+)?|[+-]?\.\d+", without(text, IGNORED_IN_NUMBERS)
    )
    if not numbers or numbers[0].lstrip("+-").startswith("."):
        return None
    number = float(numbers[0]) if "." in numbers[0] else int(numbers[0])
    scaled = re.findall(r"[\d.]+\s?[a-zA-Z]+", text)
    in_brackets = r"\([\d.\s%]+\)" if tatllm else r"\([\d.\s]+\)"
    sign = -1 if re.findall(in_brackets, text.strip()) else 1
    percent = 0.01 if re.findall(r"[\d.\s]+%", text.strip()) else 1
    return round(number * (factor(scaled[0]) if scaled else 1) * sign * percent, 4)


def normal_form(text: str, tatllm: bool) -> str:
    words = []
    for word in text.split(" "):
        word = word.lower()
        if not looks_numeric(word):
            word = without(word, set(string.punctuation))
        if looks_numeric(word):
            word = str(number_in(word, tatllm))
        words += re.sub(r"\b(a|an|the)\b", " ", word).split()
    return " ".join(words)


def written(answers: list[Any], scale: Any, tatllm: bool) -> str:
    """Join the values of an answer into the string that is compared."""
    if tatllm:
        try:
            texts = sorted(str(answer).lower() for answer in answers)
            return " ".join(with_scale(text, scale, tatllm) for text in texts)
        except (AttributeError, OverflowError, ValueError):
            return ""
    return " ".join(with_scale(str(a), scale, tatllm) for a in sorted(answers))


def with_scale(text: str, scale: Any, tatllm: bool) -> str:
    number = number_in(text, tatllm) if looks_numeric(text) else None
    if number is None:
        return text + " " + str(scale) if scale else text
    if "%" in text:
        return f"{number:.4f}"
    return f"{round(number, 2) * factor(scale):.4f}"


def fraction(text: str) -> list[str]:
    """Write a number without a percent sign as it is, unscaled."""
    if "%" in text or not looks_numeric(text):
        return []
    number = number_in(text, tatllm=False)
    return [] if number is None else [f"{number:.4f}"]


def aligned_f1(references: list[set[str]], predictions: list[set[str]]) -> float:
    scores = np.zeros((len(references), len(predictions)))
    for i, reference in enumerate(references):
        for j, prediction in enumerate(predictions):
            shared = len(reference & prediction)
            precision = shared / len(prediction) if prediction else 1.0
            recall = shared / len(reference) if reference else 1.0
            if precision + recall > 0:
                scores[i, j] = 2 * precision * recall / (precision + recall)
    best = np.zeros(max(scores.shape))
    for i, j in zip(*linear_sum_assignment(-scores), strict=True):
        best[i] = scores[i, j]
    return float(round(np.mean(best), 2))


def plain_score(
    gold: dict[str, Any], prediction: Any, scale: Any, *, variant: str = "tatqa"
) -> tuple[float, float, float]:
    """Return exact match, F1 and scale score of one question."""
    tatllm = variant == "tatllm"
    gold_scale, kind, answer = gold["scale"], gold["answer_type"], gold["answer"]
    right_scale = float(scale == gold_scale)
    if prediction is None or prediction == "" or (not tatllm and not prediction):
        return 0.0, 0.0, right_scale if tatllm else 0.0
    if kind == "count":
        answer = [str(int(answer))]
    elif kind not in ("span", "multi-span"):
        answer = [str(answer)]
    if not tatllm and not answer:
        return 0.0, 0.0, 0.0
    reference = normal_form(written(answer, gold_scale, tatllm), tatllm)
    values = prediction if isinstance(prediction, list) else [prediction]
    candidates = [written(values, scale, tatllm)]
    if not tatllm and not scale and len(values) == 1:
        candidates += fraction(str(values[0]))
    scores = []
    for candidate in candidates:
        candidate = normal_form(candidate, tatllm)
        f1 = aligned_f1([set(reference.split())], [set(candidate.split())])
        scores.append((float(reference == candidate), f1))
    em, f1 = max(scores)
    return em, em if kind in ("arithmetic", "count") else f1, right_scale
