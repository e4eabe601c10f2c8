"""The obligations: what must hold of a program that many workers run, and which are enforced.

Each is a module of this folder of the same name, whose `prove` takes a Case and yields Proofs. One
that is enforced keeps a result from being written unless it is proved; the others speak through
the findings that they have always had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Callable, cast

from ..program.records import NamedTuple
from .proof import Proof

if TYPE_CHECKING:
    from .case import Case

    Prove = Callable[[Case], Iterable[Proof]]


class Obligation(NamedTuple):
    """One obligation; `code` is that of its page. `of_results`: it needs a text of before.

    `speaks_as`: the codes of older checks that say the same, in their own words. `by_hand`: `check`
    asks it of what people have written; of the others the older checks say enough.
    """

    name: str
    code: str
    is_enforced: bool = False
    of_results: bool = False
    speaks_as: tuple[str, ...] = ()
    by_hand: bool = False

    @property
    def prove(self) -> Prove:
        """The prover, whose module is imported when somebody asks."""
        return cast("Prove", import_module(f"{__package__}.{self.name}").prove)

    @property
    def prove_by_hand(self) -> Prove:
        """The prover of what people have written: of size, what certainly is wrong there."""
        module = import_module(f"{__package__}.{self.name}")
        return cast("Prove", getattr(module, "prove_by_hand", module.prove))


OBLIGATIONS: tuple[Obligation, ...] = (
    Obligation("same", "J01", is_enforced=True, of_results=True),
    Obligation("bound", "J02", is_enforced=True, by_hand=True),
    Obligation(
        *("together", "J03", True, False),
        speaks_as=("H05", "H08", "H12", "H19", "K04", "K05", "T07", "D107"),
        by_hand=True,
    ),
    Obligation("start", "J04", is_enforced=True, by_hand=True),
    Obligation(
        *("averaged", "J05", True, False),
        speaks_as=("H06", "H07", "G01", "G03", "P03"),
        by_hand=True,
    ),
    Obligation("update", "J06", is_enforced=True, speaks_as=("H19", "T07"), by_hand=True),
    Obligation(
        *("steps", "J07", True, False),
        speaks_as=("H19", "K04", "H03"),
        by_hand=True,
    ),
    Obligation("size", "J08", is_enforced=True, speaks_as=("H10", "H18"), by_hand=True),
    Obligation("paired", "J09", is_enforced=True, by_hand=True),
    Obligation("counts", "J10", is_enforced=True),
    Obligation("writers", "J11", is_enforced=True),
    Obligation("reported", "J12", is_enforced=True),
    Obligation("seen", "J13"),
    Obligation("settled", "J14", is_enforced=True, of_results=True),
)


def names() -> tuple[str, ...]:
    """The names of all obligations, in the order in which they are asked."""
    return tuple(each.name for each in OBLIGATIONS)


def asked(is_result: bool) -> Iterator[Obligation]:
    """The obligations that a result, or a program that a person has written, is judged by."""
    return (each for each in OBLIGATIONS if is_result or not each.of_results)


def asked_of_one() -> Iterator[Obligation]:
    """The obligations of a result that runs on one worker, as its original did."""
    return (each for each in OBLIGATIONS if each.name in ("same", "bound"))


def named(name: str) -> Obligation:
    """The obligation of a name. Raises KeyError."""
    return next(each for each in OBLIGATIONS if each.name == name)
