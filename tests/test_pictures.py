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
from bench import recording

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
