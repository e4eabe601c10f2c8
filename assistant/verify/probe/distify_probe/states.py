"""Writes a hash of every trained variable and slot, so that workers can be compared."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import inside, record
from .trained import Trained

beside: list[Callable[[], None]] = []  # what is to be written with each state
moving: list[Callable[[], Iterable[tuple[str, Any]]]] = []  # who knows moving statistics


def digest(array: Any) -> str:
    """A hash of the bytes of a numpy array (or scalar), with its shape and type."""
    np = inside.numpy()
    flat = np.ascontiguousarray(array)
    told = f"{flat.dtype.str}{flat.shape}".encode()
    return f"{zlib.crc32(flat.reshape(-1).view(np.uint8), zlib.crc32(told)):08x}"


def hashes(trained: Trained) -> dict[str, str]:
    """The hashes of one optimizer's variables and slots, by their key in the records."""
    if trained.frozen is None:
        return {f"{trained.id}/{key}": digest(value) for key, value in trained.arrays()}
    return trained.frozen


def freeze(trained: Trained) -> None:
    """Keeps the last hashes only: the values are about to go."""
    if trained.frozen is None:
        with record.blind_on_failure("variables"):
            trained.frozen = hashes(trained)
            trained.forget()


def everything(known: Sequence[Trained]) -> dict[str, str]:
    """The hashes of all values that can be read now."""
    found: dict[str, str] = {}
    for trained in known:
        with record.blind_on_failure("variables"):
            found.update(hashes(trained))
    return found


def write(at: str, made: Sequence[int], known: Sequence[Trained]) -> None:
    """One `state` record of everything that can be read."""
    still: dict[str, str] = {}
    for source in moving:
        with record.blind_on_failure("variables"):
            still.update({name: digest(value) for name, value in source()})
    record.write("state", steps=list(made), at=at, hashes=everything(known), moving=still)
    for each in beside:
        each()


class Behind:
    """The values right behind the newest step: what a program does after its last one is no step.

    Nobody knows which step is the last, so they are taken behind each one, as long as that takes
    no more than a twentieth of the time.
    """

    MOST = 0.05

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.spent = 0.0
        self.made: list[int] = []
        self.hashes: dict[str, str] = {}

    def take(self, made: Sequence[int], known: Sequence[Trained]) -> None:
        """Takes them, if there is time."""
        begun = time.perf_counter()
        if self.spent > self.MOST * (begun - self.began):
            self.made = []
            return
        self.hashes, self.made = everything(known), list(made)
        self.spent += time.perf_counter() - begun

    def write(self, made: Sequence[int]) -> None:
        """The `state` record of the last step, if it was seen."""
        if self.made == list(made):
            record.write("state", steps=self.made, at="behind", hashes=self.hashes)
