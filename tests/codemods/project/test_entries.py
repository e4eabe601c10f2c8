"""What a program that is started runs of another file; what can't be known may run."""

from __future__ import annotations

import pytest

from distify.codemods.project.entries import uses
from distify.codemods.project.sketch import sketch
from distify.codemods.project.texts import Project

MODULE = "def f():\n    return 7\n\n\ndef g():\n    return 8\n"
HIDING = "import importlib\n\nimport m\n\nimportlib.reload(m)\n"


@pytest.mark.parametrize(
    ("entry", "others", "is_run"),
    [
        ("from m import f\nf()\n", {}, True),
        ("from m import g\ng()\n", {}, False),
        ("import m\nm.g()\n", {}, False),
        ("import m\nrun(m)\n", {}, True),  # whatever is asked of it there
        ("import n\nn.run()\n", {"n": HIDING}, True),  # a file that isn't followed has it
        ("import n\nn.run()\n", {"n": "import os\n"}, False),
    ],
)
def test_a_program_runs_what_it_names(entry: str, others: dict[str, str], is_run: bool) -> None:
    texts = {"train.py": entry, "m.py": MODULE, **{f"{n}.py": t for n, t in others.items()}}
    assert uses(Project("train.py", texts), "m.py", [2]) is is_run


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("f()\n", True),
        ("for x in f():\n    pass\n", True),
        ("if __name__ == '__main__':\n    pass\n", True),
        ("def f():\n    g()\n", False),
        ("class A:\n    x = g()\n", False),
        ("import os\n\nX = 1\n", False),
        ("def (\n", False),
    ],
)
def test_an_entry_does_something_when_it_is_started(text: str, is_one: bool) -> None:
    assert sketch(text).is_entry is is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("print(f())\n", True),
        ("while True:\n    f()\n", True),
        ("if __name__ == '__main__':\n    pass\n", True),
        ("logger = logging.getLogger(__name__)\n", False),
        ("warnings.filterwarnings('ignore')\n", False),
        ("parser.add_argument('--a')\n", False),
        ("def f():\n    g()\n", False),
        ("def (\n", False),
    ],
)
def test_a_script_does_more_than_setting_itself_up(text: str, is_one: bool) -> None:
    assert sketch(text).is_script is is_one
