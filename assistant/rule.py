"""What the command line asks of a rule and of a repair."""

from __future__ import annotations

from typing import Protocol


class Rule(Protocol):
    """What the command line tells about a rewrite."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def needs(self) -> frozenset[str]: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...


class Repair(Protocol):
    """What the command line tells about a repair, which is a rule for programs that are blocked."""

    @property
    def code(self) -> str: ...
    @property
    def rule(self) -> Rule: ...
    @property
    def is_automatic(self) -> bool: ...
