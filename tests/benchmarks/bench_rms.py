"""Time `rms_score` against the same metric as a plain loop over pairs of keys.

Run it with `python tests/benchmarks/bench_rms.py`; README.md beside it says what the
columns mean and holds the figures of one run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path


sys.path.insert(0, str(Path(__file__).parents[1]))

from reference.rms_plain import rms_plain

from tableqa_metrics import rms_score


# Rows times columns, without the header.
SIZES = ((2, 2), (5, 5), (20, 8), (50, 10), (100, 10))
# A call costs the least of as many as take this long together, in seconds of CPU time:
# wall time would count what else the machine does while the slow way runs.
BUDGET = 0.5

HEADERS = [
    "original language",
    "composer",
    "country of origin",
    "genre",
    "publication date",
    "distributed by",
    "screenwriter",
    "director of photography",
    "production company",
    "narrative location",
]
TITLE_WORDS = [
    "anxiety",
    "army",
    "autumn",
    "bandit",
    "bay",
    "bird",
    "blazing",
    "blood",
    "bridge",
    "brother",
    "captain",
    "castle",
    "chair",
    "circus",
    "city",
    "clock",
    "colony",
    "comet",
    "crown",
    "dancer",
    "dark",
    "daughter",
    "desert",
    "devil",
    "diamond",
    "dragon",
    "eagle",
    "empire",
    "engine",
    "falcon",
    "farm",
    "father",
    "fever",
    "field",
    "fire",
    "flight",
    "forest",
    "fortune",
    "garden",
    "ghost",
    "giant",
    "gold",
    "harbor",
    "harvest",
    "heaven",
    "horse",
    "hotel",
    "hour",
    "house",
    "hunter",
    "indian",
    "iron",
    "island",
    "jungle",
    "justice",
    "key",
    "king",
    "kitchen",
    "lady",
    "lake",
    "legend",
    "letter",
    "lion",
    "machine",
    "man",
    "men",
    "mirror",
    "moon",
    "mountain",
    "night",
    "ocean",
    "orchid",
    "palace",
    "paradise",
    "parade",
    "party",
    "pilot",
    "planet",
    "prince",
    "prison",
    "queen",
    "rain",
    "reunion",
    "river",
    "road",
    "robin",
    "rose",
    "saddle",
    "sailor",
    "secret",
    "shadow",
    "ship",
    "silent",
    "silver",
    "sister",
    "sky",
    "snow",
    "soldier",
    "song",
    "spaceball",
    "spring",
    "stone",
    "storm",
    "street",
    "summer",
    "sun",
    "tights",
    "tower",
    "train",
    "treasure",
    "twelve",
    "valley",
    "victory",
    "village",
    "violin",
    "voyage",
    "war",
    "water",
    "winter",
    "wolf",
    "woman",
    "world",
    "young",
]
GIVEN_NAMES = [
    "alex",
    "anne",
    "arthur",
    "ben",
    "carol",
    "clara",
    "david",
    "dora",
    "earle",
    "edward",
    "elena",
    "frank",
    "franz",
    "gene",
    "grace",
    "harold",
    "helen",
    "hummie",
    "irene",
    "jack",
    "james",
    "john",
    "karen",
    "laura",
    "leo",
    "louis",
    "madeline",
    "maurice",
    "mel",
    "nora",
    "oscar",
    "paul",
    "peter",
    "rita",
    "robert",
    "rosa",
    "samuel",
    "thomas",
    "vera",
    "victor",
    "walter",
]
SURNAMES = [
    "abbott",
    "aurthur",
    "anderson",
    "bancroft",
    "bauer",
    "bernstein",
    "brooks",
    "caesar",
    "carlson",
    "diaz",
    "douglas",
    "evans",
    "fisher",
    "garcia",
    "goldsmith",
    "hagen",
    "hecht",
    "herrmann",
    "howard",
    "hume",
    "ivanov",
    "jarre",
    "jensen",
    "kahn",
    "knopf",
    "larsen",
    "leone",
    "mann",
    "martin",
    "morris",
    "newman",
    "north",
    "novak",
    "okafor",
    "petrov",
    "quinn",
    "raksin",
    "rossi",
    "sato",
    "shire",
    "silva",
    "skinner",
    "steiner",
    "tanaka",
    "tiomkin",
    "trumbo",
    "vidal",
    "waxman",
    "wilder",
    "young",
]
COUNTRIES = [
    "United States of America",
    "France",
    "Italy",
    "Germany",
    "Japan",
    "United Kingdom",
]

Table = list[list[str]]


def person(rng: random.Random) -> str:
    return f"{rng.choice(GIVEN_NAMES)} {rng.choice(SURNAMES)}".title()


def cell(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.2:
        return str(rng.randint(1930, 2020))
    if kind < 0.3:
        return (
            f"{rng.randint(1930, 2020)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        )
    if kind < 0.5:
        return rng.choice(COUNTRIES)
    return ", ".join(person(rng) for _ in range(rng.randint(1, 2)))


def title(rng: random.Random) -> str:
    return " ".join(rng.sample(TITLE_WORDS, rng.randint(1, 4))).title()


def table(rng: random.Random, height: int, width: int) -> Table:
    header = ["entity", *rng.sample(HEADERS, width - 1)]
    return [header] + [
        [title(rng), *(cell(rng) for _ in header[1:])] for _ in range(height)
    ]


def numbered(rng: random.Random, height: int, width: int) -> Table:
    """A table whose rows differ by a number alone, so that every key is like many."""
    header, *rows = table(rng, height, width)
    return [header] + [[f"Episode {i}", *row[1:]] for i, row in enumerate(rows)]


def similar(rng: random.Random, gold: Table) -> Table:
    """The gold rows in another order, some names and more cells misspelt or wrong."""

    def changed(text: str, wrong: str, share: float) -> str:
        chance = rng.random()
        if chance < share:
            return wrong
        at = rng.randint(0, len(text))
        return text[:at] + "x" + text[at:] if chance < 2 * share else text

    header, *rows = gold
    rows = [
        [changed(name, title(rng), 0.1), *(changed(c, cell(rng), 0.2) for c in cells)]
        for name, *cells in rows
    ]
    rng.shuffle(rows)
    return [header, *rows]


def serialized(rows: Table) -> str:
    return "".join("|".join(row) + "\n" for row in rows)


def seconds(call: Callable[[], object]) -> float:
    times: list[float] = []
    while not times or sum(times) < BUDGET:
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def measure(kind: str, height: int, width: int) -> dict[str, object]:
    rng = random.Random(f"{kind} {height} {width}")
    gold = (numbered if kind == "numbered" else table)(rng, height, width)
    other = {
        "equal": lambda: gold,
        "similar": lambda: similar(rng, gold),
        "unrelated": lambda: table(rng, height, width),
        "numbered": lambda: similar(rng, gold),
    }[kind]()
    reference, prediction = serialized(gold), serialized(other)
    fast = rms_score(reference, prediction)  # the first call imports scipy
    if (fast.precision, fast.recall, fast.f1) != rms_plain(reference, prediction):
        raise SystemExit(f"the scores differ at {height}x{width}, {kind}")
    ours = seconds(lambda: rms_score(reference, prediction))
    plain = seconds(lambda: rms_plain(reference, prediction))
    return {
        "rows": height,
        "columns": width,
        "prediction": kind,
        "f1": fast.f1,
        "plain_s": plain,
        "ours_s": ours,
        "ratio": plain / ours,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON list, no table")
    parser.add_argument("--quick", action="store_true", help="small tables only")
    arguments = parser.parse_args()
    sizes = SIZES[:3] if arguments.quick else SIZES
    results = []
    if not arguments.json:
        print("| table | prediction | F1 | plain, s | ours, s | ratio |")
        print("| --- | --- | --- | --- | --- | --- |")
    for kind in ("similar", "unrelated", "equal", "numbered"):
        for height, width in sizes:
            result = measure(kind, height, width)
            results.append(result)
            if not arguments.json:
                print(
                    f"| {height}x{width} | {kind} | {result['f1']:.2f} "
                    f"| {result['plain_s']:.2g} | {result['ours_s']:.2g} "
                    f"| {result['ratio']:.3g} |",
                    flush=True,
                )
    if arguments.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
