"""A page runs nothing, whatever stands in the sources that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser


def test_nothing_of_a_source_runs(opened: Any) -> None:
    page = opened("project")
    assert page.title() == "distify check"
    assert page.locator("img, script, iframe").count() == 0
    assert page.locator("text=document.title = 'owned'").count() > 0


def test_a_script_would_not_run(browser: Browser, pages: Path, tmp_path: Path) -> None:
    """The policy holds by itself, should anything ever come through."""
    text = (pages / "project.html").read_text(encoding="utf-8")
    evil = tmp_path / "evil.html"
    script = "<script>document.title = 'owned'</script><p id='p' style='color: rgb(1, 2, 3)'>x</p>"
    evil.write_text(text.replace("<main", f"{script}<main"), encoding="utf-8")
    page = browser.new_page()
    page.goto(evil.as_uri())
    assert page.title() == "distify check"
    assert page.evaluate("getComputedStyle(document.getElementById('p')).color") != "rgb(1, 2, 3)"
    page.close()
