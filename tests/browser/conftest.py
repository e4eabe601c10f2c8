"""Chromium, and the pages that it is shown; `make test-browser` brings playwright along."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of each kind; distify is in another environment."""
    folder = tmp_path_factory.mktemp("pages")
    python = ROOT / ".venv" / "bin" / "python"
    subprocess.run([python, ROOT / "tests" / "browser" / "pages.py", folder], check=True)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "no Chromium here: apt-get install chromium"
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser: Browser, pages: Path) -> Iterator[Any]:
    """Opens a page, offline; whatever it complains of or asks for fails the test."""
    contexts, complaints, asked, named = [], [], set(), set()

    def open_page(name: str = "project", **options: Any) -> Page:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.add(request.url))
        address = (pages / f"{name}.html").as_uri()
        named.add(address)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert asked == named
