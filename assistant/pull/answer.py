"""One answer of a server, within bounds: a broken or hostile one costs neither memory nor hours."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Callable, TypeVar

import requests

LARGEST = 20_000_000  # bytes; a hundred comments of the greatest length are 7 MB
DEADLINE = 120.0  # seconds for all of a request, however slowly its answer drips
PIECE = 1 << 16
T = TypeVar("T")


class Unbounded(Exception):
    """An answer that is larger than any of GitHub's, or takes longer."""


@dataclass(frozen=True)
class Answer:
    """What a server said."""

    status_code: int
    reason: str
    headers: Mapping[str, str]
    data: bytes

    def json(self) -> Any:
        """Raises ValueError where it is none, and RecursionError."""
        return json.loads(self.data)


def bounded(request: Callable[[], requests.Response]) -> Answer:
    """What a request with `stream=True` gives. Raises what it raises, and Unbounded."""
    return _within(DEADLINE, lambda: _read(request()))


def _read(response: requests.Response) -> Answer:
    with response:
        packed = response.headers.get("Content-Encoding", "identity")
        if packed != "identity":  # as was asked for: a few packed bytes may be gigabytes
            raise Unbounded(f"it is packed ({packed:.20})")
        parts, room = [], LARGEST
        for part in response.raw.stream(PIECE, decode_content=False):
            parts.append(part)
            room -= len(part)
            if room < 0:
                raise Unbounded(f"it is larger than {LARGEST // 1_000_000} MB")
        return Answer(
            response.status_code, response.reason or "", response.headers, b"".join(parts)
        )


def _within(seconds: float, work: Callable[[], T]) -> T:
    """The result of some work, waited for so long: a timeout of a socket starts anew each byte."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="distify-request", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not done:
        raise Unbounded(f"it takes longer than {seconds:.0f} s")
    return done[0]
