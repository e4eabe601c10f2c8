"""What a person chose on the command line and in settings, as options for each file."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from distify.codemods.program.records import NamedTuple

from .. import codemods
from . import config, formatter, per_file, requirements
from .code_tables import PER_FILE
from .codes import UnknownCode, expand
from .environments import other_backend
from .reader import Problem
from .taken_on import obligations
from .version_specifiers import Version

if TYPE_CHECKING:
    from distify.codemods.model import Options

    from .cache import Memory


GUESSED = "a guess, as no requirement, setting or environment says one; --tensorflow does"
INSTRUMENTS = frozenset({"A26"})  # the repairs that `instrument` asks for


class Over(NamedTuple):
    """What the command line says in place of the settings; None where it is silent."""

    tensorflow: Version | None = None
    shard: str | None = None
    batch: str | None = None

    @property
    def words(self) -> list[str]:
        """As it was given, for a command that is to choose the same."""
        version = ["--tensorflow", ".".join(map(str, self.tensorflow))] if self.tensorflow else []
        shard = ["--shard", self.shard] if self.shard else []
        return [*version, *shard, *(["--batch", self.batch] if self.batch else [])]

    def on(self, settings: config.Settings) -> config.Settings:
        """The settings as they are then. Raises ConfigProblem where these ask for another one."""
        if self.tensorflow:
            config.refuse_keras(settings.keras, self.tensorflow, settings.path)
            settings = settings._replace(tensorflow=self.tensorflow)
        if self.shard:
            settings = settings._replace(shard=self.shard == "auto")
        if self.batch:
            settings = settings._replace(batch=self.batch)
            config.refuse_batch(settings)
        return settings


NOTHING = Over()


class Choice:
    """Which rules a person chose on the command line, over what each project's settings say."""

    def __init__(
        self,
        select: Sequence[str],
        ignore: Sequence[str],
        only_look: bool = False,
        unsound: bool = False,
        repair: Sequence[str] = (),
        over: Over = NOTHING,
        remembers: bool = False,
        taken_on: Sequence[str] = (),
    ) -> None:
        self.select, self.ignore = tuple(select), tuple(ignore)
        self.only_look, self.unsound, self.repair = only_look, unsound, tuple(repair)
        self.over, self.remembers, self.taken_on = over, remembers, tuple(taken_on)
        self.options_for = functools.cache(self._options_for)
        self.memory_for = functools.cache(self._memory_for)
        self.unread: list[Problem] = []  # requirements, while it was looked for a version
        self._memories: dict[str, Memory] = {}  # of projects

    def __reduce__(self) -> tuple[type[Choice], tuple[object, ...]]:
        """For other processes, which read the settings for themselves."""
        given = (self.select, self.ignore, self.only_look, self.unsound, self.repair)
        return Choice, (*given, self.over, self.remembers, self.taken_on)

    def with_batch(self, batch: str) -> Choice:
        """The same, with a word on whose a batch is."""
        over = self.over._replace(batch=batch)
        chosen = (self.select, self.ignore, self.only_look, self.unsound, self.repair)
        return Choice(*chosen, over, self.remembers, self.taken_on)

    @property
    def words(self) -> tuple[str, ...]:
        """The options as they were given, for a command that is to choose the same."""
        select = [word for value in self.select for word in ("--select", value)]
        ignore = [word for value in self.ignore for word in ("--ignore", value)]
        repair = [word for value in self.repair for word in ("--repair", value)]
        unsound = ["--unsound"] if self.unsound else []
        unsound += [f"--unsound={name}" for name in self.taken_on]
        return (*select, *ignore, *repair, *self.over.words, *unsound)

    def validate(self) -> None:
        """Tells a bad choice before any work is done."""
        if self.select or self.ignore or self.repair or self.taken_on:
            self.options_for(os.getcwd())

    def _options_for(self, folder: str) -> Options:
        from distify.codemods.model import Options

        settings = self.over.on(config.settings(folder))
        with _naming_place(settings, "select", self.select):
            select = _codes(self.select or settings.select)
        with _naming_place(settings, "ignore", self.ignore):
            ignore = _codes(self.ignore or settings.ignore)
            tensorflow = settings.tensorflow or self._asked(folder)
            is_asked = bool(settings.tensorflow or settings.keras)
            if settings.keras == "3":
                tensorflow = max(tensorflow, config.KERAS_3)
            unsound = self.unsound or settings.unsound
            options = Options(
                select,
                ignore,
                tensorflow,
                settings.shard,
                self.only_look,
                settings.recompute,
                unsound,
                width=formatter.width(folder),
                keras=settings.keras,
                learning_rate=settings.learning_rate,
                compression=settings.compression,
                warmup=settings.warmup,
                passes=settings.passes,
                factories=settings.factories,
                snapshots=settings.snapshots,
                base=settings.base,
                batch=settings.batch or config.BATCHES[0],
                is_asked=is_asked or bool(requirements.tensorflow(folder).why),
            )
            other = other_backend()
            if other is not None:
                options = options._replace(backend=other.name, backend_why=other.why)
            if select or ignore:
                codemods.check_choice(options)
        with _naming_place(settings, "repair", self.repair):
            chosen = self.repair or settings.repair
            repair = codemods.expand_repairs(chosen) if chosen else frozenset()
            repair |= INSTRUMENTS if settings.instrument else frozenset()
            options = options._replace(repair=repair)
        with _naming_place(settings, "unsound", self.taken_on):
            taken_on = obligations(self.taken_on or settings.taken_on)
            options = options._replace(taken_on=taken_on)
        with _naming_place(settings, PER_FILE, ()):
            for _, ignored in settings.per_file:
                codemods.check_choice(per_file.without(options, ignored))
        return options

    def _memory_for(self, folder: str) -> Memory | None:
        """What earlier runs have kept, where a project is that doesn't forbid it."""
        if not self.remembers or not config.settings(folder).cache:
            return None
        from .cache import Memory, folder_of

        place = folder_of(folder)
        if place is None:
            return None
        return self._memories.setdefault(place.path, Memory(place))

    def keep(self) -> None:
        """Keep for later runs what is new of modules: once a run, as all of it is written anew."""
        for memory in self._memories.values():
            memory.sketches.keep()

    def target(self, folder: str) -> tuple[str, str]:
        """What the files of a folder are written for, and who says so; "" where nobody does."""
        settings, options = self.over.on(config.settings(folder)), self.options_for(folder)
        major, minor = options.tensorflow
        brings_3 = options.tensorflow >= config.KERAS_3 and options.keras != "legacy"
        name = f"TensorFlow {major}.{minor}{' and Keras 3' if brings_3 else ''}"
        if self.over.tensorflow:
            return name, "the command line asks for it"
        if settings.tensorflow or settings.keras == "3":
            return name, f"{os.path.basename(settings.path)} asks for it in [tool.distify]"
        return name, requirements.tensorflow(folder).why

    def _asked(self, folder: str) -> tuple[int, int]:
        asked = requirements.tensorflow(folder)
        self.unread += (problem for problem in asked.unread if problem not in self.unread)
        return asked.version


def _codes(chosen: Sequence[str]) -> frozenset[str]:
    return expand(chosen, codemods.rules()) if chosen else frozenset()


@contextlib.contextmanager
def _naming_place(settings: config.Settings, key: str, given: Sequence[str]) -> Iterator[None]:
    """Names file and key of a bad choice that was not given on the command line."""
    try:
        yield
    except (UnknownCode, codemods.BadChoice) as error:
        if given:
            raise
        where = f"{settings.path}: [tool.distify] {key}"
        raise config.ConfigProblem(f"{where}: {error}") from None
