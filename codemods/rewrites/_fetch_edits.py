"""Which worker fetches something, and what the others wait for (D207)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..facts.output.download_turns import Fetch, is_command, is_fetching, is_for_one, sends, unpacks

if TYPE_CHECKING:
    from ..facts import Facts


def _calls(fetch: Fetch) -> list[ast.Call]:
    return [node for node in ast.walk(fetch.statement) if isinstance(node, ast.Call)]


def rank_of(facts: Facts, fetch: Fetch) -> str:
    """Who does it: one worker of each machine, or one of all where it changes shared files."""
    is_shared = any(is_for_one(facts, call) for call in _calls(fetch))
    return "rank" if is_shared else "local_rank"


def files_of(facts: Facts, fetch: Fetch) -> str:
    """What the others wait for, in words."""
    calls = _calls(fetch)
    if any(unpacks(facts, call) for call in calls):
        return "unpacked files"
    commands = [call for call in calls if is_command(facts, call)]
    is_other = all(sends(facts, call) or not is_fetching(facts, call) for call in commands)
    return "command" if is_other and commands else "download"
