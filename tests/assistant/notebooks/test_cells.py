"""The module of a notebook: where its lines stand in cells, and which code gets new cells."""

from __future__ import annotations

import json

import pytest

from distify.assistant.notebooks.layout import layout
from distify.assistant.notebooks.notebook_cells import Cells, cells
from distify.assistant.notebooks.restored import Lost
from distify.assistant.notebooks.script import script

from .books import book, code, data, sources, words
from .test_round_trip import STYLES

CELLS = ("a = 1\nb = 2", "%%bash\nls", "%%time\nc = 3", "d = 4")


def read(*parts: str, style: str = "nbformat") -> Cells:
    content = book(words("# A\nB"), *(code(part, id=str(n)) for n, part in enumerate(parts)))
    return cells(layout(data(content, **STYLES[style]).decode()))


def test_a_line_of_the_module_is_one_of_a_cell() -> None:
    found = read(*CELLS)
    lines = found.text.split("\n")
    assert found.place(lines.index("b = 2") + 1) == (2, 2)
    assert found.place(lines.index("c = 3") + 1) == (4, 2)
    assert found.place(lines.index("d = 4") + 1) == (5, 1)
    assert found.place(1) == (2, 1)  # the mark stands for the beginning
    assert found.place_in("x = 0\n" + found.text, lines.index("d = 4") + 2) == (5, 1)


def test_a_line_of_the_module_is_one_of_the_file() -> None:
    found = read(*CELLS)
    for text in ("a = 1", "b = 2", "c = 3", "d = 4"):
        line = found.text.split("\n").index(text) + 1
        assert text in found.layout.text.split("\n")[found.json_line(line) - 1]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("see line 2", "see cell 2, line 1"),
        ("see lines 2, 3 and 10", "see cell 2, line 1, cell 2, line 2 and cell 5, line 1"),
        ("lines 2 to 3", "cell 2, line 1 to cell 2, line 2"),
        ("line 12 of model.py", "line 12 of model.py"),
        (
            "lines 1, 2 and 3 of a/b.py, and line 2",
            "lines 1, 2 and 3 of a/b.py, and cell 2, line 1",
        ),
        ("line 2 of train.ipynb", "cell 2, line 1 of train.ipynb"),
        ("an outline 2", "an outline 2"),
        ("2 lines", "2 lines"),
    ],
)
def test_words_about_lines_are_words_about_cells(said: str, told: str) -> None:
    assert read(*CELLS).worded(said) == told


@pytest.mark.parametrize("style", STYLES)
def test_code_around_what_takes_none_gets_cells_of_its_own(style: str) -> None:
    found = read(*CELLS, style=style)
    bash, time = (part.text.partition("\n")[0] for part in found.parts[1:3])
    text = found.text.replace(bash, f"x = 1\n{bash}\n\ny = 2\nz = 3\n")
    text = text.replace(time, f"t = 5\n{time}\nu = 6")
    made = json.loads(found.becomes(text))
    assert sources(made)[1:] == [
        CELLS[0],
        "x = 1",
        CELLS[1],
        "y = 2\nz = 3",
        "t = 5",
        "%%time\nu = 6\nc = 3",
        CELLS[3],
    ]
    assert len({cell["id"] for cell in made["cells"][1:]}) == 7
    new = made["cells"][2]
    assert new == {**code("x = 1"), "id": new["id"]}
    assert found.becomes(text) == data(made, **STYLES[style]).decode()
    names = [each.name for each in found.differences(text)]
    assert names == [
        "new cell before cell 3",
        "new cell behind cell 3",
        "new cell before cell 4",
        "cell 4",
    ]


def test_code_in_front_of_everything_is_the_first_cells() -> None:
    found = read("a = 1", "b = 2")
    assert sources(json.loads(found.becomes(f"x = 0\n{found.text}")))[1:] == [
        "x = 0\na = 1",
        "b = 2",
    ]


def test_cells_that_can_t_be_told_apart_are_lost() -> None:
    """A statement around parts of two, a mark that is gone, a magic that moved to another cell."""
    found = read("a = 1", "b = 2", "!ls")
    for text in (
        found.text.replace("a = 1\n# %% cell 3\n", "if x:\n    a = 1\n    # %% cell 3\n    "),
        found.text.replace("# %% cell 3\n", ""),
        found.text.replace("b = 2\n# %% cell 4\n", "# %% cell 4\nb = 2 \\\n"),
    ):
        with pytest.raises(Lost):
            found.becomes(text)


def test_a_script_has_the_lines_of_the_module_and_no_magics() -> None:
    found = read(*CELLS, "if d:\n    !ls \\\n  -l\n%time e = f( \\\n  1)", "x?")
    made = script(found)
    assert made.count("\n") == found.text.count("\n")
    assert "get_ipython" not in made
    compile(made, "script", "exec")
    assert "e = f( \\\n  1)" in made
