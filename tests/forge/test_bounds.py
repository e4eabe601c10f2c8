"""A broken or hostile server costs neither memory nor hours, and gives one line."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from distify.assistant.pull import answer
from distify.assistant.pull.forge import PAGES, Access, ForgeProblem
from distify.assistant.pull.github_api import GitHub as Forge

HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
PULL: dict[str, Any] = {
    "number": 1,
    "html_url": "https://github.example/o/r/pull/1",
    "title": "t",
    "head": {"sha": "0", "ref": "work", "repo": {"id": 1}},
    "base": {"ref": "main", "repo": {"id": 1}},
}


@contextmanager
def serving(head: bytes, piece: bytes, times: int, pause: float = 0.0) -> Iterator[Forge]:
    """A server that answers each request with a head and so many pieces."""
    over = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.1)

    def talk(client: socket.socket) -> None:
        with client:
            try:
                client.makefile("rb").readline()
                client.sendall(head)
                for _ in range(times):
                    client.sendall(piece)
                    if over.wait(pause):
                        return
                client.shutdown(socket.SHUT_WR)
                client.recv(1)  # until who asked has read it all and hangs up
            except OSError:
                return  # who asked has heard enough

    def run() -> None:
        while not over.is_set():
            try:
                client, _ = server.accept()
            except OSError:
                continue
            threading.Thread(target=talk, args=(client,), daemon=True).start()

    thread = threading.Thread(target=run)
    thread.start()
    address = f"http://127.0.0.1:{server.getsockname()[1]}"
    try:
        yield Forge(Access(address, "o/r", "ghs_secret"), lambda seconds: None)
    finally:
        over.set()
        thread.join()
        server.close()


def refused(words: str) -> AbstractContextManager[Any]:
    return pytest.raises(ForgeProblem, match=words)


def sized(data: bytes) -> bytes:
    return HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


def test_an_endless_answer_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "LARGEST", 1_000_000)
    tracemalloc.start()
    with (
        serving(HEAD + b"\r\n[", b" " * 100_000, 100_000) as forge,
        refused("larger than 1 MB"),
    ):
        forge.open_pulls("work")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000


def test_a_few_packed_bytes_are_not_unpacked() -> None:
    data = gzip.compress(b" " * 30_000_000)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(data), data)
    with serving(head, b"", 0) as forge, refused(r"packed \(gzip\)"):
        forge.open_pulls("work")


@pytest.mark.slow
@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n", HEAD + b"\r\n["])
def test_an_answer_that_drips_is_not_waited_for(
    head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "DEADLINE", 0.3)
    with (
        serving(head, b"X-Drip: 1\r\n", 10_000, 0.05) as forge,
        refused("takes longer than"),
    ):
        forge.open_pulls("work")


def test_pages_without_end() -> None:
    data = json.dumps([{"body": "x"}] * 100).encode()
    with serving(sized(data), b"", 0) as forge:
        assert sum(1 for _ in forge.comments(1)) == 100 * PAGES


@pytest.mark.parametrize(
    "number", ["0", "-1", "1e999", "1.5", "9" * 4_000, "9" * 50_000, '"1"', "null", "NaN"]
)
def test_numbers_that_are_none(number: str) -> None:
    data = json.dumps([PULL]).replace('"number": 1', f'"number": {number}').encode()
    with (
        serving(sized(data), b"", 0) as forge,
        refused("answers something else"),
    ):
        forge.open_pulls("work")


def test_a_number_as_it_should_be() -> None:
    with serving(sized(json.dumps([PULL]).encode()), b"", 0) as forge:
        assert [pull.number for pull in forge.open_pulls("work")] == [1]


@pytest.mark.parametrize(
    "header",
    [
        "Retry-After: " + "9" * 5_000,
        "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: " + "9" * 5_000,
        "Retry-After: Fri, 31 Dec 999999 23:59:59 GMT",
    ],
)
def test_a_pause_of_any_length_is_not_made(header: str) -> None:
    told = f"Connection: close\r\n{header}\r\nContent-Length: 2"
    head = f"HTTP/1.1 429 No\r\n{told}\r\n\r\n{{}}".encode()
    with serving(head, b"", 0) as forge, refused("rate limit is used up"):
        forge.open_pulls("work")
