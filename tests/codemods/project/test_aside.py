"""Modules that are set aside change no answer: programs are compared with all their modules read."""

from __future__ import annotations

import random

import pytest

from distify.codemods.model import Migration, Options
from distify.codemods.project import joined
from distify.codemods.project import migrate as migrate_module
from distify.codemods.project.files import File
from distify.codemods.project.import_order import Reach
from distify.codemods.project.joined import join
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

from . import test_examples
from .test_examples import each_project

TRAIN = """\
import numpy as np
import tensorflow as tf

{imports}

def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense({width})])
    model.compile(tf.keras.optimizers.SGD({rate}), "mse")
    model.fit(np.ones((64, 4)), np.ones((64, 1)), epochs={epochs})
    {last}


main()
"""


def whole(project: Project, options: Options | None = None) -> Migration | None:
    """The answer with every module read."""

    def reach(
        project: Project, without: frozenset[str], spares: bool, opened: dict[str, File]
    ) -> Reach:
        return Reach(project, without, opened=opened)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joined, "Reach", reach)
        return migrate_project(project, options)


def read(project: Project) -> set[str]:
    """The other files that are read for a program."""
    found = join(project)
    assert found is not None
    assert set(found.reached) >= found.files.keys()
    return set(found.files)


@each_project
@pytest.mark.parametrize("only_look", [True, False])
def test_the_examples_are_the_same(name: str, only_look: bool) -> None:
    project = test_examples.project(name)
    options = Options(only_look=only_look)
    assert migrate_project(project, options) == whole(project, options)


VALUES = ("3", "[1, 2]", "2 + 1", "None", '"text"', "{'a': 1}")
LINES = (
    "import os",
    "import logging\nlogger = logging.getLogger(__name__)",
    "import numpy as np\nZERO = np.zeros(3)",
    "print('here')",
    "import torch",
    "if __name__ == '__main__':\n    print({own}(1))",
    "if __name__ == '__main__':\n    {used}",
    "@register\ndef noted(x):\n    return x",
    "HOOKS = []\n\n\ndef register(f):\n    HOOKS.append(f)\n    return f",
    "class Meta(type):\n    pass\n\n\nclass Made(metaclass=Meta):\n    pass",
    "def late():\n    import os\n    return os",
    "def sets():\n    global {own}_size\n    {own}_size = 3",
    "TABLE = [{used}]",
    "class Own:\n    size = {used}\n\n    def call(self, x):\n        return {used}",
    "try:\n    import absent\nexcept ImportError:\n    absent = None",
    "import horovod.tensorflow as hvd",
    "def trains(model, x):\n    model.fit(x)",
    "lr = 0.3\nlr = 0.2",
    "len = 3",
)
BODIES = (
    "    return x + 1",
    "    return {used}",
    "    import tensorflow as tf\n    return tf.size(x)",
    "    x.fit({used})\n    return 2",
    "    with open('a.txt', 'w') as file:\n        file.write('a')\n    return 1",
    "    for n in range({used}):\n        x += n\n    return x",
    "    return vars({used})",
)


class Drawn:
    """A project of random modules that use each other."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.texts = {"pkg/__init__.py": "", "pkg/sub/__init__.py": ""}
        self._modules = [f"pkg.m{n}" for n in range(3)] + [f"pkg.sub.s{n}" for n in range(3)]
        for module in self._modules:
            self.texts[f"{module.replace('.', '/')}.py"] = self._module(module)
        for package in ("pkg", "pkg.sub"):
            if self._random.random() < 0.4:
                line = self._import(package, f"{package}.")
                self.texts[f"{package.replace('.', '/')}/__init__.py"] = line[0] + "\n"
        imports, used = zip(*(self._import("train") for _ in range(3)))
        width, rate, epochs, last = (self._draw(used, "3") for _ in range(4))
        words = {"width": width, "rate": rate, "epochs": epochs, "last": last}
        self.texts["train.py"] = TRAIN.format(imports="\n".join(imports), **words)

    def _draw(self, used: tuple[str, ...], otherwise: str) -> str:
        return self._random.choice([*used, otherwise, otherwise])

    def _module(self, module: str) -> str:
        name = module.rpartition(".")[2]
        imports, used = zip(*(self._import(module) for _ in range(self._random.randint(1, 2))))
        lines = list(imports)
        for line in self._random.sample(LINES, self._random.choice([0, 0, 1, 2])):
            lines.append(line.format(own=name, used=self._random.choice(used)))
        body = self._random.choice(BODIES).format(used=self._random.choice(used))
        lines += [
            f"\n\ndef {name}(x):\n{body}\n",
            f"\n\ndef {name}_other(x):\n    return {used[0]}\n",
        ]
        lines.append(f"{name}_size = {self._random.choice(VALUES)}")
        return "\n".join(lines) + "\n"

    def _import(self, module: str, below: str = "") -> tuple[str, str]:
        """An import of another module, and an expression that uses it."""
        others = [m for m in self._modules if m != module and m.startswith(below)]
        other = self._random.choice(others)
        package, _, name = other.rpartition(".")
        member = self._random.choice([f"{name}(1)", f"{name}_size", f"{name}_other(2)"])
        first = member.partition("(")[0]
        return self._random.choice(
            [
                (f"from {other} import {first}", member),
                (f"from {other} import {first} as f_{name}", member.replace(first, f"f_{name}")),
                (f"import {other}", f"{other}.{member}"),
                (f"import {other} as o_{name}", f"o_{name}.{member}"),
                (f"from {package} import {name}", f"{name}.{member}"),
                (f"from {other} import *", member),
                (f"import {other} as o_{name}", f"str(o_{name})"),
                (f"from {package} import {name}", "1"),
                (f"import {other}", f"setattr({other}, 'a', 1)"),
            ]
        )


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 60, 20))
def test_drawn_projects_are_the_same(start: int) -> None:
    spared = 0
    for seed in range(start, start + 20):
        project = Project("train.py", Drawn(seed).texts)
        found, other = migrate_project(project), whole(project)
        assert found == other, seed
        spared += found is not None and len(read_of(project)) < len(found.modules)
    assert spared > 1


def read_of(project: Project) -> set[str]:
    try:
        return read(project)
    except joined.CannotJoin:
        return set()


@pytest.mark.parametrize("seed", [112, 150, 679])
def test_projects_that_once_differed_are_the_same(seed: int) -> None:
    project = Project("train.py", Drawn(seed).texts)
    assert migrate_project(project) == whole(project)


FUNCTION = "def f():\n    return 1\n"
USED = "from used import f\n\nf()\n"
AWAY = "import aside\n"  # nobody needs more of it
QUIET = "SIZE = 3\n\n\ndef g():\n    return SIZE\n"


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (AWAY, QUIET),
        (AWAY, "import numpy as np\nimport logging\n\nlog = logging.getLogger('a')\n" + QUIET),
        (AWAY, "import tensorflow as tf\n\n\n@tf.function\ndef g(x):\n    return x\n"),
        (AWAY, QUIET + "\nif __name__ == '__main__':\n    g()\n"),
        (AWAY, "from used import f\n\n\ndef g():\n    return f()\n"),
        ("from aside import g\n\n\ndef main():\n    return 1\n", QUIET),
        ("import aside as other\n", QUIET),
    ],
)
def test_what_nobody_names_is_set_aside(entry: str, text: str) -> None:
    project = Project("train.py", {"train.py": entry + USED, "aside.py": text, "used.py": FUNCTION})
    assert read(project) == {"used.py"}


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("import aside\naside.g()\n", QUIET),
        ("import aside as a\na.SIZE\n", QUIET),
        ("from aside import g\ng()\n", QUIET),
        ("from aside import *\n", QUIET),
        ("import aside\nprint(aside)\n", QUIET),
        ("import aside\n\n\ndef late():\n    aside.SIZE = 4\n", QUIET),
        ("import between\nbetween.h()\n", QUIET),
        ("import loud\n", QUIET),
        (AWAY, QUIET + "print(SIZE)\n"),
        (AWAY, "import horovod.tensorflow as hvd\n" + QUIET),
        (AWAY, "import torch\n" + QUIET),
        (AWAY, "from used import absent\n" + QUIET),
        (AWAY, "from used import f\nfrom used import f\n" + QUIET),
        (AWAY, "import registry\n\n\n@registry.add\ndef g():\n    return 1\n"),
        (AWAY, QUIET + "\n\ndef sets():\n    global SIZE\n    SIZE = 4\n"),
        (AWAY, "class Meta(type):\n    pass\n\n\nclass A(metaclass=Meta):\n    pass\n"),
        (AWAY, "import used\n\n\ndef g():\n    return vars(used)\n"),
        (AWAY, "SIZE = open('size.txt').read()\n"),
        (AWAY, "import logging\nlogging.basicConfig()\n"),
        (AWAY, QUIET + "\nif __name__ == '__main__':\n    from used import f\n    f()\n"),
        (AWAY, "from used import f\n\nif __name__ == '__main__':\n    f()\n"),
        (AWAY, "x = [n for n in range(3)]\n# distify: ignore[L01]\n"),
    ],
)
def test_what_may_be_of_matter_is_read(entry: str, text: str) -> None:
    texts = {
        "train.py": entry + USED,
        "aside.py": text,
        "used.py": FUNCTION,
        "registry.py": "KNOWN = []\n\n\ndef add(f):\n    KNOWN.append(f)\n    return f\n",
        "loud.py": "import torch\nfrom aside import *\n",
        "between.py": "from aside import g\n\n\ndef h():\n    return g()\n",
    }
    found = joined.Reach(Project("train.py", texts), spares=True)
    assert "aside.py" in found.files or "aside.py" in found.left


def test_a_script_behind_which_nothing_trains_is_not_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {"script.py": "from m import f\n\nf()\n", "m.py": "import tensorflow\n" + FUNCTION}
    asked: list[str] = []
    monkeypatch.setattr(migrate_module, "join", lambda project, _: asked.append(project.entry))
    assert migrate_project(Project("script.py", texts)) is None
    assert asked == []
    texts["m.py"] += "\n\ndef g(model):\n    model.fit()\n"
    migrate_project(Project("script.py", texts))
    assert asked == ["script.py"]
