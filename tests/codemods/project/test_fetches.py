"""Modules that are imported by their names: any that may be meant is part of the program."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.project.fetches import fetches
from distify.codemods.project.import_order import Reach
from distify.codemods.project.import_paths import Paths
from distify.codemods.project.joined import join
from distify.codemods.project.renaming import CannotJoin
from distify.codemods.project.texts import Project

from .test_joined import joined, result

MODELS = {
    "models/__init__": "",
    "models/a": "def build(n):\n    return n\n\n\nclass Net:\n    size = 1\n",
    "models/b": "from other import f\n\n\ndef build(n):\n    return f(n)\n\n\nclass Net:\n    size = 2\n",
    "models/sub/c": "def build(n):\n    return 5\n",
    "other": "def f(x):\n    return x * 3\n",
}
HEAD = "import importlib\nimport sys\n\nname = sys.argv[-1]\n"
FETCH = "importlib.import_module('models.' + name)"


def names(code: str) -> dict[str, str]:
    """The modules that may be imported, by the names that give them."""
    text = f"import importlib\nfrom importlib import import_module\n{code}\n"
    paths = Paths("train.py", [f"{path}.py" for path in MODELS])
    found = fetches(ast.parse(text), text)
    given = [(f, paths.fetched("models/x.py", f.node)) for f in found]
    return {f.key(dotted): path for f, each in given for dotted, path in each.items()}


ALL = {"a": "models/a.py", "b": "models/b.py", "sub.c": "models/sub/c.py"}


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("'models.' + name", "models."),
        ("f'models.{name}'", "models."),
        ("'models.%s' % name", "models."),
        ("'models.{}'.format(name)", "models."),
        ("'.'.join(['models', name])", "models."),
        ("'.' + name, package='models'", "."),
        ("'.' + name, 'models'", "."),
        ("f'.{name}', __package__", "."),
    ],
)
def test_what_is_written_out_of_a_name_bounds_what_it_may_be(name: str, head: str) -> None:
    expected = {head + each: path for each, path in ALL.items()}
    assert names(f"m = importlib.import_module({name})") == expected
    assert names(f"m = import_module({name})") == expected


def test_a_variable_that_is_bound_once_is_its_value() -> None:
    assert names("full = f'models.{name}'\nm = import_module(full)")
    assert names("full = 'models.a'\nm = import_module(full)") == {"models.a": "models/a.py"}
    assert not names("full = 'models.a'\nfull = given\nm = import_module(full)")
    assert not names("def f(full):\n    return import_module(full)\nfull = 'models.a'")
    assert not names("from x import *\nfull = 'models.a'\nm = import_module(full)")


@pytest.mark.parametrize(
    "code",
    [
        "m = import_module(name)",
        "m = import_module(f'{name}.a')",
        "m = import_module(f'{name}models.a')",
        "m = import_module('.' + name)",
        "m = import_module('.' + name, package=given)",
        "m = import_module('tensorflow')",
        "m = import_module('elsewhere.' + name)",
        "m = import_module(*names)",
        "m = import_module('models.' + name, **options)",
        "m = import_module('models.%r' % name)",
        "def import_module(name):\n    return None\nm = import_module('models.a')",
        "importlib = other\nm = importlib.import_module('models.a')",
    ],
)
def test_names_without_a_known_package_and_other_functions_are_none(code: str) -> None:
    assert not names(code)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"m = {FETCH}\nfound = m.build(2)", 6),
        (f"found = {FETCH}.build(2)", 6),
        (f"found = getattr({FETCH}, 'Net').size", 2),
        (f"m = {FETCH}\nfound = getattr(m, sys.argv[0])(1)", 3),
        (f"def f(n):\n    m = {FETCH}\n    return m.build(n)\nfound = f(1)", 3),
        (f"m = {FETCH}\nfound = m.build(1) if hasattr(m, 'build') else 0", None),
        ("found = importlib.import_module('models.a').build(2)", 2),
        (f"def load(name):\n    return {FETCH}\nfound = load(name).build(2)", 6),
        (f"def load(name):\n    return {FETCH}\nm = load(name)\nfound = getattr(m, 'build')(2)", 6),
    ],
)
def test_what_is_taken_of_such_a_module_is_taken_by_its_name(
    code: str, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = joined(f"{HEAD}{code}\n", MODELS)
    assert program
    if expected is not None:
        monkeypatch.setattr("sys.argv", ["build", "b"])
        assert result(program) == expected


@pytest.mark.parametrize(
    "code",
    [
        f"def load():\n    return {FETCH}\nfound = run(load())",  # handed on
        f"def load():\n    return {FETCH}\nloads = [load]\nfound = loads[0]().build(2)",
        f"def load():\n    if name:\n        return other\n    return {FETCH}\nfound = load().build(2)",
        f"@cached\ndef load():\n    return {FETCH}\nfound = load().build(2)",
        f"def load():\n    yield {FETCH}\nfound = load().build(2)",
        f"class A:\n    def load(self):\n        return {FETCH}\nfound = A().load().build(2)",
        f"m = {FETCH}\nm.build = print\nfound = m.build(2)",
        f"m = {FETCH}\nprint(m)",
        f"m = {FETCH}\nm = other\nm.build(2)",
        f"class A:\n    m = {FETCH}\nA.m.build(2)",
        f"found = {FETCH}.nothing()",
        f"found = getattr({FETCH}, 'nothing')()",
        "m = importlib.import_module(name)\nm.build(2)",
        "m = importlib.import_module('lib.' + name)\nm.build(2)",
    ],
)
def test_what_cannot_be_followed_is_looked_at_alone(code: str) -> None:
    with pytest.raises(CannotJoin):
        join(Project("train.py", {"train.py": HEAD + code, **texts(MODELS)}))


@pytest.mark.parametrize(
    "module",
    [
        "import random\n\nrandom.seed(1)\n\n\ndef build(n):\n    return 1\n",
        "import sys\n\nsys.modules['os'] = None\n",
        "def build(:\n",
        "# distify: skip-file\n",
    ],
)
def test_one_that_may_run_or_not_and_does_something_makes_all_unknown(module: str) -> None:
    others = {**MODELS, "models/z": module}
    with pytest.raises(CannotJoin):
        join(
            Project("train.py", {"train.py": f"{HEAD}found = {FETCH}.build(2)\n", **texts(others)})
        )


def test_one_that_runs_all_the_same_may_do_something() -> None:
    seeds = "import random\n\nrandom.seed(1)\n\n\ndef build(n):\n    return 1\n"
    code = f"import models.z\n{HEAD}found = {FETCH}.build(2)\n"
    assert joined(code, {**MODELS, "models/z": seeds})


def test_a_function_of_another_module_may_give_it(monkeypatch: pytest.MonkeyPatch) -> None:
    load = f"import importlib\n\n\ndef load(name):\n    return {FETCH}\n"
    monkeypatch.setattr("sys.argv", ["a"])
    for code in ("from pick import load\nm = load('b')\n", "import pick\nm = pick.load('b')\n"):
        assert result(joined(f"{code}found = m.build(2)\n", {**MODELS, "pick": load})) == 6
        assert not joined(f"{code}found = run(m)\n", {**MODELS, "pick": load})


def test_a_variable_with_such_a_module_is_its_own_files() -> None:
    pick = f"{HEAD}m = {FETCH}\n\n\ndef f():\n    return m.build(1)\n"
    assert joined("import pick\nfound = pick.f()\n", {**MODELS, "pick": pick})
    assert not joined("import pick\nfound = pick.m.build(1)\n", {**MODELS, "pick": pick})


def test_a_name_of_the_function_around_is_not_taken_for_a_picked_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = f"def f(build):\n    m = {FETCH}\n    return m.build(build)\nfound = f(1)\n"
    monkeypatch.setattr("sys.argv", ["a"])
    assert result(joined(HEAD + code, MODELS)) == 1


def texts(files: dict[str, str]) -> dict[str, str]:
    """The texts by paths."""
    return {f"{path}.py": text for path, text in files.items()}


def test_of_several_modules_that_may_be_imported_the_first_is_told() -> None:
    """Whatever order a set of their names has in this process."""
    names = [f"m{number}" for number in range(9)]
    files = {f"p/{name}.py": f"print({name!r})\n" for name in names}
    text = "import importlib\n\nm = importlib.import_module('p.' + name)\nm.run()\n"
    found = Reach(Project("train.py", {"train.py": text, "p/__init__.py": "", **files}))
    assert list(found.left) == list(files)
