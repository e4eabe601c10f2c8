"""What is not changed stays as it is, byte for byte, however a notebook is written."""

from __future__ import annotations

import codecs
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distify.assistant.files.source import decode_notebook

from .books import DATA, FIT, MODEL, PYTHON, book, code, data, looked_at, sources, training, words

PICTURE = {"data": {"image/png": "iVBORw0KGgo=\n"}, "metadata": {"é": [1.50, 1e3]}}
STYLES: dict[str, dict[str, Any]] = {
    "nbformat": {},
    "indent 2": {"indent": 2},
    "tabs": {"indent": "\t"},
    "no indent": {"indent": 0},
    "one line": {"indent": None},
    "compact": {"indent": None, "separators": (",", ":")},
    "ascii": {"ensure_ascii": True},
    "sorted": {"sort_keys": True},
}
RICH = training(
    "%matplotlib inline\n!pip install 'a>=1' \\\n  b\n# ☕ größer",
    fit="%%time\nhistory = model.fit(x, y)\nfiles = !ls\nmodel?",
)
RICH["cells"].insert(1, code("print('ü')", outputs=[PICTURE], execution_count=7, id="x-1"))


def written(style: str) -> bytes:
    return data(RICH, **STYLES[style])


@pytest.mark.parametrize("style", STYLES)
def test_what_is_not_changed_is_written_back_as_it_was(style: str) -> None:
    for content in (
        written(style),
        written(style).rstrip(b"\n"),
        written(style).replace(b"\n", b"\r\n"),
        codecs.BOM_UTF8 + written(style),
        b"\n  " + written(style) + b"\n\n",
    ):
        source = decode_notebook(content)
        assert source.encode(source.text) == content


@pytest.mark.parametrize("style", STYLES)
def test_only_sources_of_changed_cells_are_different(style: str) -> None:
    """Without those strings, old and new bytes are the same."""
    before = written(style)
    outcome = looked_at(before)
    assert outcome.after is not None
    assert outcome.source is not None
    old, new = json.loads(before), json.loads(outcome.after)
    changed = [a != b for a, b in zip(old["cells"], new["cells"])]
    assert changed == [False, False, False, True, True, True]
    for one, other in zip(old["cells"], new["cells"]):
        assert {**one, "source": 0} == {**other, "source": 0}
        assert list(one) == list(other)
    again = decode_notebook(outcome.after)
    assert again.cells is not None
    assert outcome.source.cells is not None
    assert around(outcome.source.cells.layout) == around(again.cells.layout)


def around(layout: Any) -> str:
    """The JSON text without what the cells' sources say."""
    text = str(layout.text)
    for cell in reversed(layout.cells):
        text = text[: cell.source[0]] + text[cell.source[1] :]
    return text


@pytest.mark.parametrize("style", STYLES)
def test_new_lines_are_written_as_the_old_ones_are(style: str) -> None:
    """nbformat would write the result in the same way again."""
    after = looked_at(written(style)).after
    assert after is not None
    assert after == data(json.loads(after), **STYLES[style])


def test_text_stays_text_and_lines_stay_lines() -> None:
    content = book(
        code(f"{DATA}\nfrom tensorflow import keras"), MODEL, {**code(""), "source": FIT}
    )
    after = json.loads(looked_at(data(content)).after or b"")
    assert [type(cell["source"]) for cell in after["cells"]] == [list, list, str]
    assert "hvd.callbacks" in after["cells"][2]["source"]


def test_lines_that_stay_keep_their_spelling() -> None:
    content = data(training(fit=f"# \u00fc /\n{FIT}")).replace(
        "# \u00fc /".encode(), b"# \\u00FC \\/"
    )
    after = looked_at(content).after
    assert after is not None
    assert b'"# \\u00FC \\/\\n"' in after


def test_windows_line_ends_within_cells_stay() -> None:
    content = book(*(each.replace("\n", "\r\n") for each in sources(training())[1:]))
    after = sources(json.loads(looked_at(data(content)).after or b""))
    assert all("\n" not in each.replace("\r\n", "") for each in after)


def test_line_ends_at_the_borders_of_cells_stay() -> None:
    content = training(fit=f"\n{FIT}\n\n")
    content["cells"][1]["source"] = [f"{DATA}\n", "from tensorflow import keras\n"]
    after = sources(json.loads(looked_at(data(content)).after or b""))
    assert after[3].startswith("\nshard = ")
    assert [len(each) - len(each.rstrip("\n")) for each in after] == [0, 1, 0, 2]


def test_a_second_run_changes_nothing() -> None:
    after = looked_at(written("nbformat")).after
    assert after is not None
    again = looked_at(after)
    assert again.skipped == "already Horovod"
    assert not again.changed


LINES = st.sampled_from(
    [
        "x = 1",
        "%magic a ?",
        "!ls \\",
        "  -l",
        "x = !ls",
        "y = %env A",
        "f(1,",
        ")",
        '"""a',
        "%no magic",
        '"""',
        "a = b \\",
        "% c",
        "x?",
        "?x",
        "# what?",
        "%%time",
        "%%bash",
        "",
        "\t",
        "for i in x:",
        "    !echo {i}",
        "    pass",
        "%time z = 3",
        "\r",
        "é = '☕'",
        "# %% cell 1",
    ]
)
CELLS = st.lists(st.lists(LINES, max_size=6).map("\n".join), min_size=1, max_size=4)


@given(CELLS, st.sampled_from(sorted(STYLES)))
def test_any_cells_come_back(cells: list[str], style: str) -> None:
    content = data(book(*cells, words("a")), **STYLES[style])
    source = decode_notebook(content)
    assert source.encode(source.text) == content if parses(source.text) else True
    assert source.cells is not None
    assert source.text.count("\n") == sum(part.text.count("\n") + 2 for part in source.cells.parts)


def parses(text: str) -> bool:
    try:
        compile(text, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def test_the_metadata_of_the_example_is_what_nbconvert_reads() -> None:
    source = decode_notebook(data(book("1", metadata=PYTHON)))
    assert source.cells is not None
    assert source.cells.layout.extension == ".py"
