"""The questions of all files of references: where each is, its gold on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from ..files.jsonfile import InputFileError
from ..files.records import TANQ, twin_id
from ..files.rowfile import RowFile
from .breakdowns import Groups
from .pool import Team
from .questions import Found, QuestionReader, of_record, record_blocks
from .store import Store


_AT_ONCE: Final = 500  # ids that are looked up by one command; SQLite takes 999


class References:
    """All questions of the files of references, by their places in that order.

    Attributes
    ----------
    benchmark
        Whose they are.
    store
        Holds the questions. Where several share an id, the later ones have it with a
        number; see `tableqa_metrics.files.records.distinct_ids`.
    groups
        In which groups questions are: each case once, numbered as in the store.
    unusable
        Why a record cannot be scored against, by its id, or by its place in the file
        where it has no id.
    files
        Name and SHA-256 of each file.
    """

    def __init__(self, benchmark: str) -> None:
        self.benchmark = benchmark
        self.store = Store()
        self.groups: list[Groups] = []
        self.unusable: dict[str, str] = {}
        self.files: list[tuple[str, str]] = []
        self._count = 0
        self._numbers: dict[Groups, int] = {}
        # By id, the texts of the questions that share it, numbered from 1.
        self._twins: dict[str, dict[str, int]] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def upper(self) -> float:
        """The best score there is, in the units of the harness's tasks."""
        return 100.0 if self.benchmark == TANQ else 1.0

    def names(self, places: Iterable[int] | None = None) -> Iterator[str]:
        """Yield the ids of the questions at some places, by default of all."""
        for place in range(len(self)) if places is None else places:
            yield self.stored(place)[2].decode()

    def stored(self, place: int) -> tuple[int, int, bytes, bytes]:
        """Return a question as `Batch` has it, with 0 in the place of a row."""
        return self.store.execute(  # type: ignore[no-any-return]
            "SELECT 0, place, name, record FROM question WHERE place = ?", (place,)
        ).fetchone()

    def find(
        self, names: Sequence[bytes], asked: Mapping[int, str]
    ) -> list[int | None]:
        """Return the place of each question, given their ids, or `None`.

        Where several questions share the id, the text of the question tells them apart;
        `asked` has those that are known, by their places among the ids.
        """
        if self._twins and asked:
            names = list(names)
            for number, text in asked.items():
                name = names[number].decode(errors="surrogatepass")
                twin = self._twins.get(name, {}).get(text)
                if twin is not None:
                    names[number] = twin_id(name, twin).encode()
        found = self._named(names, "name, place")
        # A twin's number may make another question's id; the later one has it.
        places = dict(sorted(found) if self._twins else found)
        return list(map(places.get, names))

    def close(self) -> None:
        """Give up the store."""
        self.store.close()

    def read(self, path: str | Path, team: Team) -> None:
        """Put the questions of a file after the others; `index` makes them known.

        Raises
        ------
        InputFileError
            As `read_references`, but for a question that is there twice.
        """
        file = RowFile(path)
        before = len(self)
        blocks = record_blocks(file)
        with closing(team.in_order(QuestionReader(self.benchmark), blocks)) as found:
            for questions in found:
                self.add(questions)
        if len(self) == before:
            problems = list(self.unusable.values())
            raise InputFileError(problems[-1] if problems else f"{path}: no question")
        self.files.append((str(path), file.sha256))

    def add(self, found: Found) -> None:
        """Put questions after the others.

        Raises
        ------
        Exception
            What stopped the reading after them.
        """
        for groups in found.groups:
            if self._numbers.setdefault(groups, len(self.groups)) == len(self.groups):
                self.groups.append(groups)
        numbers = [self._numbers[groups] for groups in found.groups]
        places = range(self._count, self._count + len(found.names))
        self.store.executemany(
            "INSERT INTO question VALUES (?, ?, ?, ?)",
            zip(
                places,
                found.names,
                map(numbers.__getitem__, found.group_of),
                found.records,
                strict=True,
            ),
        )
        self._count = places.stop
        self.unusable.update(found.unusable)
        if found.error is not None:
            raise found.error

    def index(self) -> None:
        """Make the questions known by their ids, once all are there.

        Raises
        ------
        InputFileError
            One is there twice.
        """
        self.store.execute("CREATE INDEX by_name ON question (name)")
        shared = self.store.execute(
            "SELECT name FROM question GROUP BY name HAVING count(*) > 1"
        )
        names = {name for (name,) in shared}
        more = names
        while more:
            renamed = self._tell_apart(names)
            # Such a name may be that of another question, which then has a twin, too.
            new = [name.encode() for name in renamed.values()]
            more = {name for name, _ in self._named(new, "name, place")} - names
            names |= more
        if names:
            self.store.executemany(
                "UPDATE question SET name = ? WHERE place = ?",
                [(name.encode(), place) for place, name in renamed.items()],
            )

    def _tell_apart(self, names: Iterable[bytes]) -> dict[int, str]:
        """Return, by their places, the ids of the questions that need another."""
        self._twins = {}
        renamed: dict[int, str] = {}
        latest: dict[str, str] = {}
        for place, stored, record in sorted(
            self._named(list(names), "place, name, record")
        ):
            name = stored.decode()
            text, where, _ = of_record(record)
            if name in latest:
                texts = self._twins.setdefault(name, {latest[name]: 1})
                if text in texts:
                    raise InputFileError(
                        f"{where}: the question with id {name} is there twice"
                    )
                texts[text] = len(texts) + 1
                renamed[place] = name = twin_id(name, len(texts))
            latest[name] = text
        return renamed

    def _named(self, names: Sequence[bytes], columns: str) -> Iterator[Any]:
        """Yield some columns of the questions that have these ids."""
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            yield from self.store.execute(
                f"SELECT {columns} FROM question WHERE name IN ({marks})", some
            )


def read_references(
    benchmark: str, paths: Iterable[str | Path], team: Team | None = None
) -> References:
    """Read files of references.

    Parameters
    ----------
    benchmark
        Whose they are.
    paths
        The files.
    team
        Who reads them; by default this process.

    Raises
    ------
    InputFileError
        A file cannot be read, holds records of another benchmark, the unlabelled test
        questions or no usable record, or a question stands there twice. What else is
        wrong with a single record is told by `unusable`.
    """
    references = References(benchmark)
    try:
        try:
            for path in paths:
                references.read(path, team or Team())
        except (InputFileError, RecursionError):
            references.index()  # an error there comes first, since it stands first
            raise
        references.index()
    except BaseException:
        references.close()
        raise
    return references
