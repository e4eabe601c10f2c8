"""The pictures of docs/ are not older than what they show: by its content, not by their time."""

from __future__ import annotations

import hashlib
import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bench import curves, memory, recording

from browser import shown

ROOT = Path(__file__).resolve().parent.parent
AGAIN = "make pictures draws them anew"


def test_the_pages_are_those_of_today(tmp_path: Path) -> None:
    """Made without a browser: the same page gives the same picture."""
    made = [sys.executable, str(ROOT / "tests" / "browser" / "pages.py"), str(tmp_path), "small"]
    subprocess.run(made, check=True, capture_output=True)
    today = shown.hashed((tmp_path / "small.html").read_text(encoding="utf-8"))
    known = json.loads(shown.RECORD.read_text(encoding="utf-8"))
    assert {name: each["shows"] for name, each in known.items()} == {
        "proof.png": today,
        "report.png": today,
    }, AGAIN


def test_the_pictures_are_those_that_were_drawn() -> None:
    for name, each in json.loads(shown.RECORD.read_text(encoding="utf-8")).items():
        picture = (shown.RECORD.parent / name).read_bytes()
        assert hashlib.sha256(picture).hexdigest() == each["is"], AGAIN


def test_another_page_is_another_picture_and_pages_of_codes_are_none() -> None:
    page = '<p>x</p><section><h2 id="codes">y</h2>'
    assert shown.hashed(page) != shown.hashed(page.replace("x", "z"))
    assert shown.hashed(page) == shown.hashed(page.replace("y", "z"))


def words(picture: str) -> list[str]:
    """What a recording says, line by line, however it is coloured and laid out."""
    found: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in re.findall(
        r'<text [^>]*x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', picture, re.S
    ):
        found.setdefault(float(y), []).append((float(x), html.unescape(text)))
    lines = ("".join(text for _, text in sorted(found[y])) for y in sorted(found))
    return [line.replace("\xa0", " ").rstrip() for line in lines]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_walk_is_that_of_today() -> None:
    today = words(recording.picture(recording.seen()))
    assert len(today) > 40
    assert words(recording.PICTURE.read_text(encoding="utf-8")) == today, AGAIN


def tabled(page: str) -> list[list[list[str]]]:
    """The cells of the tables that `bench/memory.py` writes."""
    part = page.partition("<!-- memory -->")[2].partition("<!-- /memory -->")[0]
    return [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
        for table in part.strip().split("\n\n")
    ]


def test_the_figure_of_memory_has_the_figures_of_its_page() -> None:
    """They are measured at once: `make bench-memory ARGS=--write` writes both."""
    tables = tabled(memory.PAGE.read_text(encoding="utf-8"))
    names = {name: mode for mode, name in memory.MODES.items()}
    found: memory.Figures = {}
    for head, _, *rows in tables[: len(names)]:
        for schedule, *cells in rows:
            for depth, cell in zip((int(each.split()[-1]) for each in head[1:]), cells):
                if cell != "–":
                    figure = memory.Figure(float(cell.split()[0]), 0, 0, 0)
                    found[names[head[0]], schedule, depth] = figure
    assert len(found) > 40
    language = [list(map(float, row[1:4])) for row in tables[-1][2:]]
    cells = {
        "program": [{"steps": steps} for steps, *_ in language],
        "none": [{"cells": none} for _, none, _ in language],
        "halves": [{"cells": halves} for *_, halves in language],
    }
    depths = sorted({depth for *_, depth in found})
    today = curves.drawn(memory.panels(found, depths, cells))
    drawn = memory.FIGURE.read_text(encoding="utf-8")
    places = [re.findall(r'c[xy]="([\d.]+)"', each) for each in (drawn, today)]
    assert len(places[0]) == len(places[1]) > 90
    # Tables are rounded to a tenth.
    assert [float(a) for a in places[0]] == pytest.approx([float(b) for b in places[1]], abs=1)


def test_the_figure_of_a_race_has_what_its_page_shows() -> None:
    """Its counts are of one experiment; the program is the one above it."""
    page = (ROOT / "docs" / "race.md").read_text(encoding="utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    figure = (ROOT / "docs" / "race.svg").read_text(encoding="utf-8")
    assert "One run: [train, save.op]" in figure
    assert "session.run([train, save.op])" in program
    assert "p := w * 1.0" in figure
    assert "tf.assign(p, w * 1.0)" in program
    counts = [int(count) for count in re.findall(r">(\d+)</text>", figure)]
    bars = [int(wide) for wide in re.findall(r'width="(\d+)" height="20"', figure)]
    assert f"in {sum(counts)} runs](race.svg)" in page
    assert [round(wide / 1.4) for wide in bars] == counts
