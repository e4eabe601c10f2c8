"""`[tool.distify]` of the nearest pyproject.toml, and the TensorFlow that a project asks for."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from typing import Any

from distify.codemods.program.records import NamedTuple

from .checked import ConfigProblem as ConfigProblem
from .checked import count, flag, one_of, strings, version
from .code_tables import PER_FILE, SEVERITY, BadTable, Ignores, per_file, severities
from .codes import suggestion
from .reader import NotRead
from .taken_on import unsound_of
from .toml import load

KEYS = (
    "tensorflow", "shard", "select", "ignore", "unsound", "exclude", "recompute", "snapshots",
    "recompute-base", "repair",
    "keras", "batch", "learning-rate", "warmup", "backward_passes_per_step", "compression", "cache",
    "instrument", PER_FILE, SEVERITY,
    "models", "optimizers", "datasets",
)  # fmt: skip
FACTORIES = {"models": "model", "optimizers": "optimizer", "datasets": "dataset"}
FORMS = ("halves", "sqrt", "binomial")
KERAS = ("3", "legacy")
BATCHES = ("worker", "global")  # the first is the default
RATES = ("linear", "sqrt", "none")  # the first is the default
COMPRESSIONS = ("fp16",)
KERAS_3 = (2, 16)  # the first TensorFlow that brings it
LISTS = ("select", "ignore", "exclude", "repair")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")


class Settings(NamedTuple):
    """What one pyproject.toml says; None and empty where it is silent."""

    tensorflow: tuple[int, int] | None = None
    shard: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unsound: bool = False
    path: str = ""  # of the file, for messages
    recompute: str = ""  # the form of D501, which is applied where this is set
    per_file: Ignores = ()  # patterns, relative to the folder of the file, and codes
    severity: tuple[tuple[str, str], ...] = ()  # how much a code counts
    repair: tuple[str, ...] = ()  # what is repaired without being asked for on the command line
    learning_rate: str = "linear"  # how it grows with the workers
    batch: str = ""  # whose it is: each worker's, or all workers' one
    compression: str = ""  # of gradients on their way
    warmup: int = 0  # epochs in which the rate grows to what it is for all workers
    passes: int = 1  # batches whose gradients are added up before they are averaged
    cache: bool = True  # whether answers are kept for the next run
    factories: tuple[tuple[str, str], ...] = ()  # dotted names, and what their calls give
    keras: str = ""  # which Keras `tf.keras` is from TensorFlow 2.16 on
    taken_on: tuple[str, ...] = ()  # obligations of the judge, by name
    snapshots: int = 5  # what the binomial form of D501 keeps at a time
    base: int = 1  # layers or steps that D501 cuts no further
    instrument: bool = False  # whether values are compared at run time where nothing is proved


@functools.cache
def settings(folder: str) -> Settings:
    """What holds for the files of an absolute folder: the nearest table on the way up."""
    own = table(folder)
    if own is not None:
        return _settings(own, os.path.join(folder, "pyproject.toml"))
    above = os.path.dirname(folder)
    return settings(above) if above != folder else Settings()


def excludes(folder: str) -> tuple[str, ...] | None:
    """The patterns that this very folder's pyproject.toml excludes; None where it has no table."""
    own = table(folder)
    if own is None:
        return None
    return _settings(own, os.path.join(folder, "pyproject.toml")).exclude


@functools.cache
def table(folder: str) -> Mapping[str, Any] | None:
    """`[tool.distify]` of the pyproject.toml in this folder; None without one.

    Raises ConfigProblem for a file that can't be read or holds something else there.
    """
    found = tools(folder)
    if "distify" not in found:
        return None
    own = found["distify"]
    if not isinstance(own, dict):
        path = os.path.join(folder, "pyproject.toml")
        raise ConfigProblem(f"{path}: [tool.distify] must be a table")
    return own


@functools.cache
def tools(folder: str) -> Mapping[str, Any]:
    """What the pyproject.toml in this folder says of every tool; empty without one.

    Raises ConfigProblem for a file that can't be read.
    """
    path = os.path.join(folder, "pyproject.toml")
    try:
        found = load(path).get("tool", {})
    except FileNotFoundError:
        return {}
    except NotRead as error:
        raise ConfigProblem(f"{path}: {error}") from error
    return found if isinstance(found, dict) else {}


def _settings(own: Mapping[str, Any], path: str) -> Settings:
    for key in own:
        if key not in KEYS:
            known = suggestion(key, KEYS).partition("; `")[0]
            raise ConfigProblem(f"{path}: [tool.distify] has no key {key!r:.60}{known}")
    select, ignore, exclude, repair = (strings(own.get(key, []), key, path) for key in LISTS)
    shard = one_of(own, "shard", ("auto", "none"), "auto", path)
    (unsound, taken_on), cache = _unsound(own, path), flag(own, "cache", True, path)
    tensorflow = version(own.get("tensorflow"), path)
    recompute = one_of(own, "recompute", FORMS, "", path)
    rate = one_of(own, "learning-rate", RATES, RATES[0], path)
    half = one_of(own, "compression", COMPRESSIONS, "", path)
    warmup = count(own, "warmup", 0, path)
    passes = count(own, "backward_passes_per_step", 1, path)
    batch = one_of(own, "batch", BATCHES, "", path)
    if warmup and rate == "none":
        wanted = (
            'warmup leads to a rate that grows with the workers: not with learning-rate = "none"'
        )
        raise ConfigProblem(f"{path}: [tool.distify] {wanted}")
    is_shared = shard == "auto"
    found = Settings(tensorflow, is_shared, select, ignore, exclude, unsound, path, recompute)
    found = found._replace(repair=repair, learning_rate=rate, compression=half, cache=cache)
    found = found._replace(warmup=warmup, passes=passes, taken_on=taken_on, batch=batch)
    refuse_batch(found)
    snapshots = count(own, "snapshots", 1, path, default=5)
    base = count(own, "recompute-base", 1, path)
    found = found._replace(factories=_factories(own, path), snapshots=snapshots, base=base)
    found = found._replace(instrument=flag(own, "instrument", False, path))
    return _with_codes(found._replace(keras=_keras(own, tensorflow, path)), own)


def _unsound(own: Mapping[str, Any], path: str) -> tuple[bool, tuple[str, ...]]:
    """Whether rules may be left out that a result needs, and obligations that are taken on."""
    if isinstance(own.get("unsound"), list):
        return unsound_of(strings(own["unsound"], "unsound", path))
    try:
        return flag(own, "unsound", False, path), ()
    except ConfigProblem as problem:
        raise ConfigProblem(f"{problem}, or a list of obligations") from None


def _factories(own: Mapping[str, Any], path: str) -> tuple[tuple[str, str], ...]:
    """Each name once: nothing gives a model here and an optimizer there."""
    found: dict[str, str] = {}
    for key, role in FACTORIES.items():
        for name in strings(own.get(key, []), key, path):
            if not _DOTTED.fullmatch(name):
                wanted = f'{key} names functions in full, as "pkg.build", not {name!r:.60}'
                raise ConfigProblem(f"{path}: [tool.distify] {wanted}")
            if found.setdefault(name, role) != role:
                wanted = f"{key} names {name!r:.60}, which gives something else by another key"
                raise ConfigProblem(f"{path}: [tool.distify] {wanted}")
    return tuple(found.items())


def _keras(own: Mapping[str, Any], tensorflow: tuple[int, int] | None, path: str) -> str:
    found = one_of(own, "keras", KERAS, "", path)
    refuse_keras(found, tensorflow, path)
    return found


def refuse_keras(keras: str, tensorflow: tuple[int, int] | None, path: str) -> None:
    """Raises ConfigProblem where Keras 3 is asked for beside a TensorFlow that has none."""
    if keras == "3" and tensorflow is not None and tensorflow < KERAS_3:
        wanted = f'keras = "3" needs TensorFlow 2.16 or later, not {tensorflow[0]}.{tensorflow[1]}'
        raise ConfigProblem(f"{path}: [tool.distify] {wanted}")


def refuse_batch(found: Settings) -> None:
    """Raises ConfigProblem where one batch of all workers is asked for beside what forbids it."""
    others = (
        (found.warmup, "warmup leads to a rate that grows with the workers"),
        (found.passes > 1, "backward_passes_per_step adds up batches for a step"),
        (not found.shard, 'shard = "none" lets every worker take all rows'),
    )
    for is_set, why in others if found.batch == BATCHES[1] else ():
        if is_set:
            raise ConfigProblem(f'{found.path}: [tool.distify] {why}: not with batch = "global"')


def _with_codes(found: Settings, own: Mapping[str, Any]) -> Settings:
    try:
        ignores, counts = per_file(own.get(PER_FILE, {})), severities(own.get(SEVERITY, {}))
    except BadTable as error:
        raise ConfigProblem(f"{found.path}: [tool.distify] {error}") from None
    return found._replace(per_file=ignores, severity=counts)
