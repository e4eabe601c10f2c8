"""The site as it was built (`make site`), served from this machine."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Request

ROOT = Path(__file__).resolve().parents[3]
BUILT = ROOT / "build" / "site"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    extensions_map: ClassVar = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


class Visit(NamedTuple):
    """A page, and whatever it asked for so far."""

    page: Page
    asked: list[Request]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    assert (BUILT / "index.html").exists(), "make site builds it"
    handler = functools.partial(Quiet, directory=str(BUILT))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Any]:
    """Opens a page of the site; what it complains of, or asks elsewhere for, fails the test."""
    contexts, complaints, every = [], [], []

    def open_page(name: str = "", **options: Any) -> Visit:
        context = browser.new_context(**options)
        contexts.append(context)
        page, asked = context.new_page(), list[Request]()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        context.on("request", lambda request: asked.append(request))
        every.append(asked)
        page.goto(address + name)
        return Visit(page, asked)

    yield open_page
    for context in contexts:
        context.close()
    own = (address, f"blob:{address}", "data:")
    assert [r.url for asked in every for r in asked if not r.url.startswith(own)] == []
    assert {r.method for asked in every for r in asked} == {"GET"}
    assert complaints == []
