"""What a refusal of a forge's REST API says, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Callable

from .answer import Answer


@dataclass(frozen=True)
class Refusals:
    """The ways of one kind of forge to refuse, in its words.

    `obstacles` are those that no permission of a token would change; `asked` are the statuses that
    say that the request itself is wrong; `missing` tells what the token lacks, for a path.
    """

    obstacles: Sequence[tuple[re.Pattern[str], str]]
    invalid: str
    asked: Collection[int]
    inputs: str
    forge: str
    repository: str
    missing: Callable[[Answer, str], str]

    def advice(self, answer: Answer, method: str, path: str) -> str:
        """What to do about a refusal, by its words, else by its status."""
        status, said = answer.status_code, message(answer)
        known = next((way for sign, way in self.obstacles if sign.search(said)), "")
        if known:
            return known
        if status < 400:
            return (
                f"the {self.repository} has another name now: `git remote set-url origin ADDRESS`"
            )
        if status == 401:
            return self.invalid
        if status in self.asked:
            return f"this is what was asked for; look at the {self.inputs}"
        if status not in (403, 404):
            return f"it is like that at {self.forge}, whatever {self.inputs} and token say"
        missing = self.missing(answer, path)
        if status == 403 or method != "GET":
            return f"the token may not do this: {missing}"
        return (
            f"the token may not see this ({missing}), or there is no {self.repository} of this name"
        )


def message(answer: Answer) -> str:
    """What the answer says, without a full stop; its status in words where it says nothing."""
    try:
        content = answer.json()
        errors = content.get("errors") or []
        details = map(_detail, errors if isinstance(errors, list) else [errors])
        first = (content.get(key) for key in ("message", "error", "error_description"))
        said = ", ".join([*map(_flat, first), *details]).strip(", ")
    except (ValueError, AttributeError, RecursionError):
        said = ""
    return said.rstrip(".") or answer.reason or "nothing"


def _flat(said: Any) -> str:
    """A sentence, or the sentences that GitLab sends by field, or in a list."""
    if isinstance(said, dict):
        return ", ".join(f"{field} {_flat(each)}".strip() for field, each in said.items())
    if isinstance(said, list):
        return ", ".join(map(_flat, said))
    return str(said or "")


def _detail(error: Any) -> str:
    """Most operations send objects, some (reviews) plain sentences."""
    return str((isinstance(error, dict) and error.get("message")) or error)
