"""Which names a check at run time covers, and that it covers nothing else."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.program.node_fields import within
from distify.codemods.syntax.agreed import LINE, is_agreed
from distify.codemods.syntax.source import parse_module

HEAD = "import horovod.tensorflow as hvd\n"
CHECK = LINE.format(hvd="hvd", value="n", name="n") + "\n"


def covered(text: str) -> list[int]:
    """The lines, behind the import, in which a name is covered."""
    found = [n.lineno - 1 for n in within(parse_module(HEAD + text)) if is_agreed(n)]
    return sorted(found)


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        f"n = int(a)\n{CHECK}print(n)\n",
        f"n = 3 * len(a)\n{CHECK}for i in range(n):\n    print(n)\n",
        f"n = open('a').read().split()\n{CHECK}print(n[0])\n",
        f"n = {{'a': [1, 'b']}}\n{CHECK}print(n)\n",
        f"n = sorted(set(json.load(f)))\n{CHECK}print(n)\n",
        f"def f():\n    n = int(a)\n{indented(CHECK)}    return n\n",
        f"n = anything(a)\n{CHECK}model.fit(x, steps_per_epoch=n)\n",
        f"n = anything(a)\n{CHECK.replace('_object(n)', '_object(n.tolist())')}print(n)\n",
    ],
)
def test_what_stands_behind_it_is_covered(text: str) -> None:
    assert covered(text)


@pytest.mark.parametrize(
    "text",
    [
        f"n = int(a)\nprint(n)\n{CHECK}",  # above
        f"n = int(a)\n{CHECK}print(m)\n",  # another name
        f"n = int(a)\n{CHECK}n = int(b)\nprint(n)\n",  # bound again
        f"n = int(a)\n{CHECK}for n in b:\n    print(n)\n",
        f"n = int(a)\n{CHECK}def f():\n    global n\n    n = 2\nprint(n)\n",
        f"n = int(a)\n{CHECK}from b import *\nprint(n)\n",
        f"n = int(a)\nif b:\n{indented(CHECK)}print(n)\n",  # not on all ways
        f"n = int(a)\nif b:\n{indented(CHECK)}else:\n    print(n)\n",
        f"n = int(a)\n{CHECK}def f():\n    print(n)\n",  # a function that may run at any time
        f"n = anything(a)\n{CHECK}print(n)\n",  # an array, of which `repr` shows a part
        f"n = np.load(a)\n{CHECK}print(n)\n",
        f"n = [np.load(a)]\n{CHECK}print(n)\n",
        f"n = [b]\n{CHECK}print(n)\n",
        f"def f(n):\n{indented(CHECK)}    print(n)\n",
        f"n, m = a\n{CHECK}print(n)\n",
        # no check at all
        "n = int(a)\nassert len(set(map(repr, hvd.allgather_object(n)))) == 2\nprint(n)\n",
        "n = int(a)\nassert len(set(map(repr, hvd.allgather_object(n)))) >= 1\nprint(n)\n",
        "n = int(a)\nassert len(set(map(type, hvd.allgather_object(n)))) == 1\nprint(n)\n",
        "n = int(a)\nassert len(set(map(repr, other.allgather_object(n)))) == 1\nprint(n)\n",
        "n = int(a)\nassert len(set(map(repr, hvd.allgather_object(n % 2)))) == 1\nprint(n)\n",
        "n = int(a)\nhvd.allgather_object(n)\nprint(n)\n",
    ],
)
def test_nothing_else_is_covered(text: str) -> None:
    assert covered(text) == []


@pytest.mark.parametrize(
    ("change", "lines"),
    [("n.append(1)", [3]), ("n[0] = 1", [3]), ("shuffle(n)", [3]), ("random.shuffle(n)", [3])],
)
def test_a_change_in_place_ends_it(change: str, lines: list[int]) -> None:
    text = f"n = [1, 2]\n{CHECK}{change}\nprint(n)\n"
    assert covered(text) == lines


def test_the_line_is_python() -> None:
    assert isinstance(ast.parse(CHECK).body[0], ast.Assert)
