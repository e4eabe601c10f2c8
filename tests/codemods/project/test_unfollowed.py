"""Projects whose training can't be followed: refused, with both places and a fix that works."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from distify.codemods.model import Migration
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

NET = "import tensorflow as tf\n\n\n{}def net():\n    return tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
TRAIN = """\
import numpy as np
import tensorflow as tf

{imports}

{make}
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""
REGISTRY = """\
MODELS = {}


def register(function):
    MODELS[function.__name__] = function
    return function


def create(name):
    return MODELS[name]()
"""
GET = "import importlib\n\n\ndef create(name):\n    return importlib.import_module(name).net()\n"
PLUGINS = """\
from importlib.metadata import entry_points


def create(name):
    return next(e for e in entry_points(group="nets") if e.name == name).load()()
"""
DIRECT = {"imports": "from nets import net", "make": "model = net()"}


class Case(NamedTuple):
    """A project that is refused, what is said of it, and what its entry becomes by the fix."""

    imports: str
    make: str
    others: dict[str, str]
    line: int  # of the entry
    elsewhere: str  # the other place
    fixed: dict[str, str] = DIRECT


PLAIN = NET.format("")
CASES = {
    "importlib in a module": Case(
        "from plugins import create", 'model = create("nets")', {"plugins": GET, "nets": PLAIN},
        4, "`plugins.py` is not followed: it has `importlib`",
    ),
    "importlib in the entry": Case(
        "import importlib\nimport sys", 'model = importlib.import_module(sys.argv[1]).net()', {"nets": PLAIN},
        1, "it has `importlib`",
    ),
    "plug-ins": Case(
        "from plugins import create", 'model = create("a")', {"plugins": PLUGINS, "nets": PLAIN},
        4, "`plugins.py` is not followed: it has `importlib`",
    ),
    "a monkey patch of the entry's own": Case(
        "import nets\nfrom nets import net", "nets.net = print\nmodel = nets.net()", {"nets": PLAIN},
        4, "`train.py:7` may change what is in it",
    ),
    "a monkey patch elsewhere": Case(
        "import patches\nfrom nets import net", "model = net()",
        {"nets": PLAIN, "patches": "import nets\n\nnets.net = print\n"},
        4, "`patches.py:3` may change what is in it",
        {"imports": "from nets import net", "make": "model = net()"},
    ),
    "a module that is handed on": Case(
        "import nets", "model = vars(nets)['net']()", {"nets": PLAIN},
        4, "`train.py:6` may change what is in it",
    ),
    "attributes that are made when they are asked for": Case(
        "from lazy import net", "model = net()",
        {"lazy": "def __getattr__(name):\n    import nets\n\n    return nets.net\n", "nets": PLAIN},
        4, "`lazy.py` is not followed: it has `def __getattr__`",
    ),
    "a file that can't be parsed": Case(
        "from broken import net", "model = net()", {"broken": "def net(:\n", "nets": PLAIN},
        4, "`broken.py` is not followed: it can't be parsed",
    ),
}  # fmt: skip


def looked_at(case: Case, words: dict[str, str]) -> Migration:
    texts = {f"{name}.py": text for name, text in case.others.items()}
    found = migrate_project(Project("train.py", {"train.py": TRAIN.format(**words), **texts}))
    assert found is not None
    return found


@pytest.mark.parametrize("name", CASES)
def test_both_places_are_named(name: str) -> None:
    case = CASES[name]
    found = looked_at(case, {"imports": case.imports, "make": case.make})
    (blocked,) = found.blocked
    assert blocked.code == "T01"
    assert max(blocked.line, blocked.reaches) >= 6
    assert blocked.fix
    assert found.steps == ()
    assert found.others == ()
    every = [blocked, *found.notes]
    assert any(case.elsewhere in f"{each.message} {each.cause}" for each in every), every
    if case.line:
        (note,) = (each for each in found.notes if case.elsewhere in each.message)
        assert (note.line, note.code, note.stands) == (case.line, "T01", True)


@pytest.mark.parametrize("name", CASES)
def test_the_fix_works(name: str) -> None:
    """The model is made by its name; nobody changes the module that has it."""
    case = CASES[name]
    found = looked_at(case, case.fixed)
    assert found.blocked == ()
    assert "hvd.DistributedOptimizer" in found.after
    assert not [each for each in found.notes if "not followed" in each.message]


def test_nothing_is_said_where_nothing_is_in_the_way() -> None:
    """What is not followed may be of no matter."""
    words = {"imports": "import helpers\nfrom nets import net", "make": "model = net()"}
    case = Case("", "", {"helpers": "import importlib\n", "nets": PLAIN}, 0, "")
    found = looked_at(case, words)
    assert found.blocked == ()
    assert not [each for each in found.notes if each.code == "T01"]


def test_a_registry_that_decorators_fill_is_followed() -> None:
    nets = NET.format("@register\n").replace(
        "import tensorflow as tf\n", "import tensorflow as tf\n\nfrom registry import register\n"
    )
    imports = "import nets\nfrom registry import create"
    case = Case(imports, "model = create('net')", {"registry": REGISTRY, "nets": nets}, 0, "")
    found = looked_at(case, {"imports": case.imports, "make": case.make})
    assert not found.blocked
    assert "hvd.DistributedOptimizer" in found.after


PICKS = "model = getattr(nets, {})()"
TWO = PLAIN + PLAIN[PLAIN.index("def") :].replace("def net", "def wide").replace("(1)", "(9)")


def picked(name: str) -> Migration:
    case = Case("import nets", PICKS.format(name), {"nets": TWO}, 0, "")
    return looked_at(case, {"imports": case.imports, "make": case.make})


@pytest.mark.parametrize("name", ["tf.sys.argv[1]", "'net'"])
def test_what_is_picked_of_a_module_is_followed(name: str) -> None:
    found = picked(name)
    assert not found.blocked
    assert PICKS.format(name) in found.after
    assert "hvd.DistributedOptimizer" in found.after


def test_a_module_may_be_asked_for_what_it_has() -> None:
    make = "model = nets.net() if hasattr(nets, 'net') else nets.wide()"
    case = Case("import nets", make, {"nets": TWO}, 0, "")
    assert not looked_at(case, {"imports": case.imports, "make": case.make}).blocked
