"""IPython's lines are masked, and come back; Python's own lines are left alone."""

from __future__ import annotations

import ast

import pytest

from distify.assistant.notebooks.magics import Hidden, masked
from distify.assistant.notebooks.restored import Lost, restored

from .books import DATA, FIT, MODEL, book, data, looked_at, migrated, sources, training

PLAIN = [
    "x = 7 % 3",
    "x = (7\n% 3)",
    "x = 7 \\\n% 3",
    'text = """\n%time\n!ls\n?\n"""',
    "text = '''a\n!ls'''\n",
    "text = '%s' % 3",
    "if x != 3:\n    pass",
    "x = 3  # what?",
    "# %time\n# !ls\n# x?",
    "x = '!ls'",
    "x = {\n    'a': 1,\n}",
    'x = f"{a!r}"',
    'x = "\\""\n',
    "x = '#' + '''\n!ls'''",
    "",
    "\n\n",
]
MAGICS = [
    "%matplotlib inline",
    "!pip install x",
    "!!ls",
    "    %time",
    "%%time\nx = 1",
    "%%capture out\n%%time\nx = 1",
    "\n\n%%time\nx = 1",
    "%%bash\nfor x in 1; do echo; done",
    "%%writefile a.py\nimport os",
    "%%html\n<b>",
    "files = !ls",
    "a, b = %env X",
    "x[0] = %env X",
    "if True:\n    !ls\nelse:\n    %pwd",
    "!ls \\\n  -l \\\n  -a\nx = 1",
    "x?",
    "?x",
    "x.y??",
    "%time?",
    "model.fit?",
    "%time x = 1",
    "%time x = f( \\\n  1)",
    "for x in y:\n    %time f(x)",
    "%timeit np.dot(a, b)",
    "%%timeit\nnp.dot(a, b)",
    "x = 1\n%autoreload 2\ny = 2",
    "%cd a\r\nx = 1\r\n",
]


@pytest.mark.parametrize("cell", PLAIN)
def test_python_is_left_alone(cell: str) -> None:
    assert masked(cell, 1) == (cell, ())


@pytest.mark.parametrize("cell", MAGICS)
def test_a_magic_is_masked_and_comes_back(cell: str) -> None:
    shown, masks = masked(cell, 1)
    assert masks
    if not cell.startswith("    "):
        ast.parse(shown)
    assert restored(masks, shown, shown).code == cell
    is_whole = masks[0].kind == "cell"
    assert is_whole or shown.count("\n") == cell.count("\n")


def test_a_magic_follows_its_line() -> None:
    """It is indented with it, and code may come before and behind."""
    shown, masks = masked("a = 1\n!ls\nb = 2", 1)
    line = shown.split("\n")[1]
    new = f"a = 1\nif rank:\n    {line}\nb = 3"
    assert restored(masks, shown, new).code == "a = 1\nif rank:\n    !ls\nb = 3"


def test_a_magic_that_is_gone_or_there_twice_is_told() -> None:
    shown, masks = masked("!ls\nb = 2", 1)
    for new in ("b = 2", f"{shown}\n{shown}"):
        with pytest.raises(Lost, match="`!ls` would be lost"):
            restored(masks, shown, new)


HIDDEN = [
    "%timeit model.fit(x, y)",
    "%%timeit\nmodel.fit(x, y)",
    "%prun train(model)",
    "%%prun\ntrain_step(x)",
    "%run train.py",
    "%%capture\n%%timeit\nmodel.fit(x, y)",
    "%time -n model.fit(x, y)",
]


@pytest.mark.parametrize("cell", HIDDEN)
def test_training_that_is_not_followed_is_told(cell: str) -> None:
    with pytest.raises(Hidden):
        masked(cell, 1)
    outcome = looked_at(data(training("import os", cell)))
    assert outcome.problem is not None
    assert outcome.problem.cell == 3
    assert outcome.after is None


def test_timed_training_is_followed() -> None:
    """By `%%time` on top of a cell, and by `%time` in front of a statement."""
    first, second = (sources(migrated(data(training(fit=fit))))[3] for fit in TIMED)
    assert first.startswith("%%time\nshard = slice(hvd.rank(), ")
    assert first.count("%%time") == 1
    lines = second.split("\n")
    assert lines[0].startswith("shard = ")
    assert lines[1] == "%time model.fit( \\"
    assert all(line.endswith(" \\") for line in lines[1:-1])
    assert lines[-1] == ")"


TIMED = (f"%%time\n{FIT}", f"%time {FIT}")


def test_what_ipython_sees_of_it_is_one_statement() -> None:
    """Its lines, joined as IPython joins them, are the call."""
    made = sources(migrated(data(training(fit=TIMED[1]))))[3]
    _, _, line = made.partition("%time ")
    joined = " ".join(part.rstrip()[:-1] for part in line.split("\n")[:-1]) + line.split("\n")[-1]
    (statement,) = ast.parse(joined).body
    assert ast.unparse(statement).startswith("model.fit(x[shard], y[shard], epochs=2, callbacks=")


def test_cells_that_end_in_the_middle_of_a_statement_are_told() -> None:
    """Together they would be a program; IPython reads each by itself."""
    content = book(f"{DATA}\nfrom tensorflow import keras", f"{MODEL}\nz = (1,", f"2)\n{FIT}")
    outcome = looked_at(data(content))
    assert outcome.problem is not None
    assert (outcome.problem.cell, outcome.problem.line) == (2, 3)
    assert "can't be parsed" in outcome.problem.message


def test_marks_of_the_persons_own_stay() -> None:
    cells = ["# %% cell 1\n# %% cell 3", "a = 1\n# %% cell 2\nprint(a)"]
    made = sources(migrated(data(training(*cells))))
    assert made[1:3] == [cells[0], cells[1]]
