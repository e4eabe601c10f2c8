"""The pictures of docs/ from what a page really shows: `make pictures` keeps them there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import shown


def test_the_pictures(opened: Any, pages: Path, tmp_path: Path) -> None:
    """What changes in a script, and what `verify` said of another."""
    keeps = "DISTIFY_PICTURES" in os.environ
    folder = shown.RECORD.parent if keeps else tmp_path
    page = opened("small", viewport={"width": 1000, "height": 720}, color_scheme="light")
    clip = {"x": 0, "y": 0, "width": 1000, "height": 1560}
    page.screenshot(path=folder / "report.png", full_page=True, clip=clip)
    page.set_viewport_size({"width": 900, "height": 720})
    proof = page.locator("section", has=page.locator("#proof"))
    proof.screenshot(path=folder / "proof.png")
    for name in ("report.png", "proof.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    if keeps:
        text = (pages / "small.html").read_text(encoding="utf-8")
        shown.record({"report.png": text, "proof.png": text})
