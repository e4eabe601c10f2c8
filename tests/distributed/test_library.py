"""Every name of TensorFlow in the tables is one of TensorFlow's, in the versions it is said of.

The tables are those of `codemods/library`, and whatever else stands in a module of `codemods` as a
full dotted name. A pattern is taken apart: each of its alternatives has to fit a name. `make
test-tensorflows` asks the oldest and the newest TensorFlow by `--training-python`.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from distify import codemods
from distify.codemods.library import agreement, call_results, datasets, effects, keras_3, purity

pytest.importorskip("tensorflow")
HERE = Path(__file__).parent
PATTERNS = [
    *(pattern for pattern, _ in agreement._ROWS),
    *(pattern for pattern, _ in call_results._ROWS),
    effects._STARTS.pattern,
    effects._ITERATES.pattern,
    purity._FUNCTIONS.pattern,
]
ANY = r"\w*"
# From which version on a name is gone, and from which on it is there.
LEFT = {
    "tensorflow.estimator.": (2, 16),
    "tensorflow.compat.v1.estimator.": (2, 16),
    "tensorflow.keras.mixed_precision.set_policy": (2, 11),  # as `experimental.set_policy`
    "tensorflow.contrib.": (2, 0),
    "tensorflow.train.SummaryWriter": (1, 0),  # in programs from before
}
CAME: dict[str, tuple[int, int]] = {
    # Of Keras 3: this is run with Keras 2 up to 2.18.
    "tensorflow.keras.ops.": (2, 19),
    "tensorflow.keras.callbacks.OrbaxCheckpoint": (2, 19),
    "tensorflow.keras.utils.PyDataset": (2, 19),
    "tensorflow.keras.random.SeedGenerator": (2, 19),
}


# -- the names of a pattern -------------------------------------------------------------------


def alternatives(pattern: str) -> list[str]:
    """What a pattern stands for, each without alternatives of its own."""
    if sys.version_info >= (3, 11):
        from re import _parser as parser
    else:
        import sre_parse as parser
    return list(_joined(parser.parse(pattern)))


def _joined(tokens: Iterable[tuple[object, object]]) -> list[str]:
    found = [""]
    for operator, value in tokens:
        ends = list(dict.fromkeys(_one(str(operator), value)))
        found = [begin + end for begin in found for end in ends]
    return found


def _one(operator: str, value: object) -> Iterator[str]:
    if operator == "LITERAL":
        yield chr(value)  # type: ignore[arg-type]
    elif operator == "BRANCH":
        for branch in value[1]:  # type: ignore[index]
            yield from _joined(branch)
    elif operator == "SUBPATTERN":
        yield from _joined(value[-1])  # type: ignore[index]
    elif operator == "MAX_REPEAT":
        low, _, inner = value  # type: ignore[misc]
        once = _joined(inner)
        yield from (["", *once] if low == 0 and not _is_any(once) else once)
    elif operator == "IN":
        yield ANY
    else:
        yield ""  # a place, or what must not follow


def _is_any(found: list[str]) -> bool:
    return found == [ANY]


def split(name: str) -> list[str]:
    """The parts of a name, each a pattern; what a pattern leaves open at its end is left out."""
    return [re.sub(r"(?:\\w\*)+", lambda _: ANY, part) for part in name.rstrip(".").split(".")]


# -- all of them ------------------------------------------------------------------------------


def texts(value: object, depth: int = 0) -> Iterator[str]:
    """The texts in a table."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < 3:
        yield from texts((*value, *value.values()), depth + 1)
    elif isinstance(value, (tuple, list, frozenset, set)) and depth < 3:
        for element in value:
            yield from texts(element, depth + 1)


def dotted() -> Iterator[str]:
    """The full names in the tables of all modules."""
    for module in pkgutil.walk_packages(codemods.__path__, codemods.__name__ + "."):
        for value in vars(importlib.import_module(module.name)).values():
            for text in texts(value):
                if re.fullmatch(r"tensorflow(?:\.\w+)+\.?", text):
                    yield text


def names() -> list[str]:
    """Every name of TensorFlow in the tables."""
    found = [one for pattern in PATTERNS for one in alternatives(pattern)]
    found = [one for one in found if re.match(r"tensorflow\.", one)]
    methods = (f"tensorflow.data.Dataset.{method}" for method in datasets.METHODS)
    return sorted({*found, *dotted(), *methods})


# -- and whether they are there -----------------------------------------------------------------


@pytest.fixture(scope="session")
def answers(request: pytest.FixtureRequest) -> tuple[tuple[int, int], dict[str, bool]]:
    """The version of a TensorFlow, and which of the names it has."""
    python = request.config.getoption("--training-python") or sys.executable
    asked = names()
    assert len(asked) > 250
    done = subprocess.run(
        [python, str(HERE / "existing_names.py")],
        input=json.dumps([split(name) for name in asked]),
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout[done.stdout.index("{") :])
    major, minor = said["version"].split(".")[:2]
    return (int(major), int(minor)), dict(zip(asked, said["found"]))


def is_due(name: str, version: tuple[int, int]) -> bool:
    """Whether that version should have the name."""
    left = [gone for head, gone in LEFT.items() if name.startswith(head)]
    came = [since for head, since in CAME.items() if name.startswith(head)]
    return all(version < gone for gone in left) and all(version >= since for since in came)


def test_every_name_of_the_tables_exists(
    answers: tuple[tuple[int, int], dict[str, bool]],
) -> None:
    version, found = answers
    missing = [name for name, is_there in found.items() if not is_there and is_due(name, version)]
    assert missing == []


def test_what_has_left_or_is_to_come_is_not_there(
    answers: tuple[tuple[int, int], dict[str, bool]],
) -> None:
    version, found = answers
    wrong = [name for name, is_there in found.items() if is_there and not is_due(name, version)]
    assert wrong == []


def test_a_pattern_is_taken_apart() -> None:
    assert alternatives(r"a\.(?:b|c\.)?[A-Z]\w*$") == [
        f"a.{ANY}{ANY}",
        f"a.b{ANY}{ANY}",
        f"a.c.{ANY}{ANY}",
    ]


# -- what Keras 3 alone has -------------------------------------------------------------------


def test_keras_2_has_none_of_the_names_of_keras_3() -> None:
    import tensorflow as tf

    if hasattr(tf.keras, "ops"):
        pytest.skip("Keras 3 is installed")
    assert not {member for member in keras_3.MEMBERS if _is_there(member, tf.keras)}


def _is_there(member: str, keras: object) -> bool:
    found: object = keras
    for part in member.split("."):
        found = getattr(found, part, None)
    return found is not None
