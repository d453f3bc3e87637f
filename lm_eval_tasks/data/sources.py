"""Where every file comes from: one table, each file at a pinned commit with its check.

A git blob id is the SHA-1 of `b"blob <size>\\0"` followed by the content, so it checks
the exact bytes of a file. No hash of TANQ is published; its test file is checked by the
number of its records.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


TRAIN: Final = "train"
VALIDATION: Final = "validation"
TEST: Final = "test"
SPLITS: Final = (TRAIN, VALIDATION, TEST)

# What people call a split, and what it is called here.
SPLIT_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "train": TRAIN,
        "dev": VALIDATION,
        "valid": VALIDATION,
        "validation": VALIDATION,
        "test": TEST,
        "test_gold": TEST,
    }
)

TAT_LLM_STYLES: Final = ("stepwise", "end_to_end")
TAT_LLM_DATASETS: Final = ("finqa", "tatqa", "tatdqa")

# The names by which `data_files` and `split` can be keyed in a run that mixes several.
BENCHMARKS: Final = (
    "tanq",
    "tatqa",
    "tatdqa",
    "finqa",
    *(
        f"tatllm_{name}_{style}"
        for name in TAT_LLM_DATASETS
        for style in TAT_LLM_STYLES
    ),
)


@dataclass(frozen=True)
class Source:
    """One file of a public data set.

    Parameters
    ----------
    dataset
        The family of files that it belongs to, such as `tatqa` or
        `tat_llm/sft/stepwise/finqa`.
    split
        `train`, `validation` or `test`.
    path
        Where the file lies under a `data_dir`.
    urls
        Where it can be fetched, in the order of the attempts.
    licence
        SPDX name of the licence of the data.
    blob
        Its git blob id, where one is known.
    questions
        How many questions it holds, where that is known.
    also_at
        Other places under a `data_dir` where the file is looked for.
    """

    dataset: str
    split: str
    path: str
    urls: tuple[str, ...]
    licence: str
    blob: str | None = None
    questions: int | None = None
    also_at: tuple[str, ...] = ()

    @property
    def check(self) -> str:
        """What the file is expected to be, in words."""
        if self.blob is not None:
            return f"git blob id {self.blob}"
        if self.questions is not None:
            return f"{self.questions:,} records (no hash is published)"
        return "lines of JSON (no hash is published)"


def _github(repository: str, commit: str, path: str) -> tuple[str, ...]:
    return (f"https://raw.githubusercontent.com/{repository}/{commit}/{path}",)


def _tanq(split: str, name: str, questions: int | None) -> Source:
    # The README names the second host, which needs a client certificate; the first is
    # the public front of the same bucket.
    hosts = ("storage.googleapis.com", "storage.mtls.cloud.google.com")
    return Source(
        dataset="tanq",
        split=split,
        path=f"tanq/{name}",
        urls=tuple(f"https://{host}/tanq/data/v1/{name}" for host in hosts),
        licence="CC-BY-4.0",
        questions=questions,
    )


def _tatqa(split: str, suffix: str, blob: str, questions: int) -> Source:
    name = f"tatqa_dataset_{suffix}.json"
    return Source(
        dataset="tatqa",
        split=split,
        path=f"tatqa/{name}",
        urls=_github(
            "NExTplusplus/TAT-QA",
            "870accc41953dcde885aabeb963d94aabdc0fbc3",
            f"dataset_raw/{name}",
        ),
        licence="CC-BY-4.0",
        blob=blob,
        questions=questions,
    )


def _finqa(split: str, name: str, blob: str, questions: int) -> Source:
    return Source(
        dataset="finqa",
        split=split,
        path=f"finqa/{name}.json",
        urls=_github(
            "czyssrs/FinQA",
            "0f16e2867befa6840783e58be38c9efb9229d742",
            f"dataset/{name}.json",
        ),
        licence="MIT",
        blob=blob,
        questions=questions,
    )


def _tat_llm(
    folder: str, split: str, blob: str, *, questions: int | None = None
) -> Source:
    dataset = folder.rsplit("/", 1)[-1]
    suffix = "dev" if split == VALIDATION else split
    name = f"{dataset}_dataset_{suffix}.json"
    return Source(
        dataset=f"tat_llm/{folder}",
        split=split,
        path=f"tat_llm/{folder}/{name}",
        urls=_github(
            "fengbinzhu/TAT-LLM",
            "4d3fd213049ab87ecc6e725bc4a2cfd2421ba6fc",
            f"data/{folder}/{name}",
        ),
        licence="CC-BY-4.0",
        blob=blob,
        questions=questions,
        # TAT-DQA's own release has the same file names.
        also_at=(f"tatdqa/{name}",) if folder == "original/tatdqa" else (),
    )


SOURCES: Final[tuple[Source, ...]] = (
    _tanq(TEST, "test.jsonl", 1074),
    _tanq(VALIDATION, "dev.jsonl", None),
    _tatqa(TRAIN, "train", "ec6a61be61ea7bb92c3278877e46e8488cc5203c", 13215),
    _tatqa(VALIDATION, "dev", "48075c812af3fe6698b1d5cb50d9dbf358d52784", 1668),
    _tatqa(TEST, "test_gold", "3d5d3b691af572646ba9b1ac4d8f78c5dca09732", 1663),
    _finqa(TRAIN, "train", "a6c2c5a60f9abe3fba5a793cc4d9e1dee2e09209", 6251),
    _finqa(VALIDATION, "dev", "970f239f591c782b17df420c0d343b780737f3da", 883),
    _finqa(TEST, "test", "59958c7c3bb3b21f4dff6bc912a0fe0ae710aee0", 1147),
    # The gold of TAT-LLM's three data sets.
    _tat_llm("original/finqa", TRAIN, "2742cad83a31140464f117edd089c0b921883937"),
    _tat_llm("original/finqa", VALIDATION, "bc85ca043c0d9be787bdc08181fb668c2dcbc927"),
    _tat_llm("original/finqa", TEST, "1658d88641f1a0bcfd9d76e5e48cb0de3ede4689"),
    _tat_llm("original/tatqa", TRAIN, "870d2e8326a84d3bb674e1f5cbfe5fd10ae1b319"),
    _tat_llm("original/tatqa", VALIDATION, "caf084fe1f7e89bb4b6e5dd42e611ffbf480c484"),
    _tat_llm(
        "original/tatqa",
        TEST,
        "3d5d3b691af572646ba9b1ac4d8f78c5dca09732",
        questions=1663,
    ),
    _tat_llm("original/tatdqa", TRAIN, "2db8012fb4832590f830cb9f799d1e91e17b0af7"),
    _tat_llm(
        "original/tatdqa",
        VALIDATION,
        "98bf434a928124504edd3dd6acfef4fe98f2e9e7",
        questions=1644,
    ),
    _tat_llm(
        "original/tatdqa",
        TEST,
        "71b92ac28e47f484da10c8d44e3fddce7ecf3acd",
        questions=1663,
    ),
    # TAT-LLM's prompts; those of the train splits have no published check.
    _tat_llm(
        "sft/stepwise/finqa", VALIDATION, "741b837b67e68c8357ffd4961f92dc6947202840"
    ),
    _tat_llm("sft/stepwise/finqa", TEST, "17a0a96d585154f36058412a557e0b8fee65feae"),
    _tat_llm(
        "sft/stepwise/tatqa", VALIDATION, "d6250635a5f5ee0990b7ae4902e6d1fbff802a65"
    ),
    _tat_llm("sft/stepwise/tatqa", TEST, "014bc36aaa1a437bc688bc1769aa1e858c8eb26b"),
    _tat_llm(
        "sft/stepwise/tatdqa", VALIDATION, "f60b0b745604d93d3c9b72ec24948db2ec75ca0f"
    ),
    _tat_llm("sft/stepwise/tatdqa", TEST, "d0cf15afbacf06743285611f72e649f20ef3890c"),
    _tat_llm(
        "sft/end_to_end/finqa",
        VALIDATION,
        "2aece80a402a08930929b3a43e2cf7ec04695608",
        questions=848,
    ),
    _tat_llm("sft/end_to_end/finqa", TEST, "58e590d7f60852796e198a2634012c135ac963ae"),
    _tat_llm(
        "sft/end_to_end/tatqa", VALIDATION, "0c350783e1753a1c651f214afe7774e969b54c17"
    ),
    _tat_llm("sft/end_to_end/tatqa", TEST, "64d3b9051128abb976d1134ac49b4fd6393d802c"),
    _tat_llm(
        "sft/end_to_end/tatdqa", VALIDATION, "0e45da0bdc468e39f917ee0b33d884fd85a2cfe4"
    ),
    _tat_llm("sft/end_to_end/tatdqa", TEST, "5f183093df275f67c32aec89b4d3359c7e7e1ab3"),
)


def find_source(dataset: str, split: str) -> Source | None:
    """Return the source of a split, or `None` where nothing is pinned for it.

    Examples
    --------
    >>> find_source("finqa", "validation").path
    'finqa/dev.json'
    """
    for source in SOURCES:
        if (source.dataset, source.split) == (dataset, split):
            return source
    return None


def sources_of(benchmark: str) -> tuple[Source, ...]:
    """Return the files that a benchmark reads where the user gives none, by split.

    Parameters
    ----------
    benchmark
        One of `BENCHMARKS`.

    Examples
    --------
    >>> [source.path for source in sources_of("tanq")]
    ['tanq/test.jsonl', 'tanq/dev.jsonl']
    """
    if benchmark.startswith("tatllm_"):
        _, dataset, style = benchmark.split("_", 2)
        datasets = (f"tat_llm/sft/{style}/{dataset}", f"tat_llm/original/{dataset}")
    elif benchmark == "tatdqa":
        datasets = ("tat_llm/sft/end_to_end/tatdqa", "tat_llm/original/tatdqa")
    else:
        datasets = (benchmark,)
    # A split without prompts is of no use.
    splits = {source.split for source in SOURCES if source.dataset == datasets[0]}
    return tuple(
        source
        for source in SOURCES
        if source.dataset in datasets and source.split in splits
    )
