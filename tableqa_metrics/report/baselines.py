"""Published figures to stand beside a run, each with the protocol it was obtained with.

TANQ: Akhtar et al. 2024 (arXiv:2405.07765). TAT-QA, human: Zhu et al. 2021
(arXiv:2105.07624). All else: TAT-LLM, Zhu et al. 2024 (arXiv:2401.13223).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..files.records import FINQA, TANQ, TATDQA, TATQA


@dataclass(frozen=True)
class Baseline:
    """A published figure, in percent, on the test split.

    `metric` is the metric of ours that follows the same protocol.
    """

    system: str
    metric: str
    value: float
    protocol: str


_TANQ_SCORER: Final = "Test split, TANQ's released scorer"
_TATQA_SCORER: Final = "Test split, TAT-QA's official scorer"
_ZERO_SHOT: Final = (
    "Test split, zero-shot, the reference's scale granted (TAT-LLM paper)"
)
_ZERO_SHOT_FINQA: Final = "Test split, zero-shot, exact match (TAT-LLM paper)"
_FINE_TUNED: Final = (
    "Test split, fine-tuned, TAT-LLM's own scorer, which reads the reference to find "
    "the answer"
)

_TAT_LLM_SETS: Final = (FINQA, TATQA, TATDQA)
_ZERO_SHOT_EM: Final[Mapping[str, Sequence[float]]] = {
    "GPT-3.5-Turbo": (58.00, 59.47, 52.74),
    "GPT-4": (63.91, 71.92, 64.46),
}
_TAT_LLM_EM: Final[Mapping[str, Sequence[float]]] = {
    "TAT-LLM 7B (LoRA)": (65.13, 76.49, 71.38),
    "TAT-LLM 7B": (69.75, 76.91, 72.64),
    "TAT-LLM 13B (LoRA)": (71.93, 77.51, 72.22),
    "TAT-LLM 13B": (72.97, 78.41, 73.18),
    "TAT-LLM 70B (LoRA)": (76.81, 81.42, 76.55),
    "TAT-LLM 70B": (76.11, 82.20, 76.97),
}


def baselines(benchmark: str) -> list[Baseline]:
    """Return the published figures of a benchmark.

    Examples
    --------
    >>> [(b.system, b.value) for b in baselines("tanq")]
    [('Gemini Flash, oracle', 60.7), ('PaLM-2, closed book', 47.6), ('Human', 73.0)]
    """
    return list(_of(benchmark))


def _of(benchmark: str) -> Iterator[Baseline]:
    if benchmark == TANQ:
        yield Baseline("Gemini Flash, oracle", "rms_f1", 60.7, _TANQ_SCORER)
        yield Baseline("PaLM-2, closed book", "rms_f1", 47.6, _TANQ_SCORER)
        yield Baseline("Human", "rms_f1", 73.0, _TANQ_SCORER)
        return
    if benchmark == TATQA:
        yield Baseline("Human", "em", 84.1, _TATQA_SCORER)
        yield Baseline("Human", "f1", 90.8, _TATQA_SCORER)
    place = _TAT_LLM_SETS.index(benchmark)
    for system, values in _ZERO_SHOT_EM.items():
        if benchmark == FINQA:
            yield Baseline(system, "exe_acc", values[place], _ZERO_SHOT_FINQA)
        else:
            yield Baseline(system, "em_gold_scale", values[place], _ZERO_SHOT)
    for system, values in _TAT_LLM_EM.items():
        yield Baseline(system, "tatllm_em", values[place], _FINE_TUNED)
