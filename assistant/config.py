"""`[tool.distify]` of the nearest pyproject.toml, and the TensorFlow that a project asks for."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from .codes import suggestion

KEYS = ("tensorflow", "shard", "select", "ignore", "exclude")
LISTS = ("select", "ignore", "exclude")
_VERSION = re.compile(r"(\d+)\.(\d+)(\.\w+)*")


class ConfigProblem(Exception):
    """Names the file and the key, and what was expected there."""


class Settings(NamedTuple):
    """What one pyproject.toml says; None and empty where it is silent."""

    tensorflow: tuple[int, int] | None = None
    shard: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    path: str = ""  # of the file, for messages


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
    """`[tool.distify]` of the pyproject.toml in this folder; None without one."""
    path = os.path.join(folder, "pyproject.toml")
    if not os.path.isfile(path):
        return None
    tool = load_toml(path).get("tool", {})
    if not isinstance(tool, dict) or "distify" not in tool:
        return None
    own = tool["distify"]
    if not isinstance(own, dict):
        raise ConfigProblem(f"{path}: [tool.distify] must be a table")
    return own


def load_toml(path: str) -> Mapping[str, Any]:
    """Raises ConfigProblem with the place of the fault."""
    toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with open(path, "rb") as file:
            content: dict[str, Any] = toml.load(file)
            return content
    except OSError as error:
        raise ConfigProblem(f"{path}: {error.strerror}") from error
    except ValueError as error:  # TOML or UTF-8
        raise ConfigProblem(f"{path}: {error}") from error


def _settings(own: Mapping[str, Any], path: str) -> Settings:
    for key in own:
        if key not in KEYS:
            known = suggestion(key, KEYS).partition("; `")[0]
            raise ConfigProblem(f"{path}: [tool.distify] has no key {key!r}{known}")
    lists = {key: _strings(own[key], key, path) for key in LISTS if key in own}
    shard = own.get("shard", "auto")
    if shard not in ("auto", "none"):
        raise ConfigProblem(f'{path}: [tool.distify] shard must be "auto" or "none", not {shard!r}')
    tensorflow = _version(own.get("tensorflow"), path)
    return Settings(tensorflow, shard == "auto", **lists, path=path)


def _strings(value: object, key: str, path: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigProblem(f"{path}: [tool.distify] {key} must be a list of strings")
    return tuple(value)


def _version(value: object, path: str) -> tuple[int, int] | None:
    if value is None:
        return None
    found = _VERSION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        wanted = 'tensorflow must be a version such as "2.15"'
        raise ConfigProblem(f"{path}: [tool.distify] {wanted}, not {value!r}")
    return int(found[1]), int(found[2])
