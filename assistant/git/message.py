"""What a commit says: the subject, why, where, where to read more, and trailers for programs."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from distify import __version__

from ..report.escape import safe
from .commit_reasons import REASONS
from .plan import Change

if TYPE_CHECKING:
    from distify.codemods.model import Suppressed, TakenOn

WIDTH = 72
SEAL = "Distify-Seal: "
# What makes a forge see an issue or a person: `#1`, `GH-1`, `@name`.
REFERENCE = re.compile(r"[#@]|(?<=GH)-(?=\d)", re.IGNORECASE)
MOST = 60  # places; a longer list helps no reviewer


def subject(code: str, summary: str) -> str:
    """`distify(D104): scale learning rates by the number of workers`."""
    words, _ = REASONS.get(code) or (summary[:1].lower() + summary[1:].rstrip("."), "")
    return f"distify({code}): {words}"


def message(change: Change, summary: str, prefix: str = "") -> str:
    """The whole text, in lines of at most 72 characters where no name is longer."""
    _, reason = REASONS.get(change.code, ("", summary))
    return "\n\n".join(
        [
            prefix + subject(change.code, summary),
            textwrap.fill(reason, WIDTH, break_long_words=False, break_on_hyphens=False),
            *_unsound(change),
            *_suppressions(change),
            *_taken_on(change),
            "Places:\n" + "\n".join(_places(change.places)),
            f"Rule: {link(change.code)}",
            "\n".join(_trailers(change)) + "\n",
        ]
    )


def sealed(text: str, tree: str) -> str:
    """The text with a last line that no longer fits as soon as text or files are changed."""
    return f"{text}{SEAL}{_seal(text, tree)}\n"


def is_intact(text: str, tree: str) -> bool:
    """Whether there is a seal that fits."""
    before, mark, seal = text.rstrip("\n").rpartition(SEAL)
    return bool(mark) and seal == _seal(before, tree)


def _seal(text: str, tree: str) -> str:
    return sha256(f"{tree}\n{text}".encode()).hexdigest()[:20]


def _unsound(change: Change) -> list[str]:
    """A paragraph of its own where rules were left out that the series needs."""
    if not change.left_out:
        return []
    shown = [f"  {code} in {_name(path)}" for path, code in change.left_out[:MOST]]
    more = len(change.left_out) - len(shown)
    shown += [f"  and {more} more"] if more else []
    return ["UNSOUND: the series leaves out rules that its result needs:\n" + "\n".join(shown)]


def _suppressions(change: Change) -> list[str]:
    """A paragraph of its own where somebody took findings on them, with their reasons."""
    if not change.suppressed:
        return []
    shown = [f"  {_answer(path, each)}" for path, each in change.suppressed[:MOST]]
    more = len(change.suppressed) - len(shown)
    shown += [f"  and {more} more"] if more else []
    return ["SUPPRESSED, in the files as they were before the series:\n" + "\n".join(shown)]


def _taken_on(change: Change) -> list[str]:
    """A paragraph of its own where something of the series isn't proved."""
    if not change.taken_on:
        return []
    shown = [f"  {_taken_on_line(path, each)}" for path, each in change.taken_on[:MOST]]
    more = len(change.taken_on) - len(shown)
    shown += [f"  and {more} more"] if more else []
    return ["TAKEN ON, which the judge could not prove:\n" + "\n".join(shown)]


def _taken_on_line(path: str, each: TakenOn) -> str:
    why = _name(each.reason) if each.reason else "no reason given"
    return f"{each.obligation} in {_name(path)}:{each.finding.line}: {why}"


def _answer(path: str, each: Suppressed) -> str:
    why = _name(each.reason) if each.reason else "no reason given"
    return f"{each.finding.code} in {_name(path)}:{each.finding.line}: {why}"


def _places(places: Sequence[tuple[str, int]]) -> list[str]:
    shown = [f"  {_name(path)}:{line}" for path, line in places[:MOST]]
    return shown + ([f"  and {len(places) - MOST} more"] if len(places) > MOST else [])


def _name(path: str) -> str:
    """A file may be called `fixes #1.py`, and a merge would close somebody's issue."""
    return REFERENCE.sub(_escape_sign, safe(path))


def _escape_sign(sign: re.Match[str]) -> str:
    return f"\\x{ord(sign[0]):02x}"


def _trailers(change: Change) -> list[str]:
    needs = [f"Distify-Needs: {', '.join(change.needs)}"] if change.needs else []
    codes = sorted({code for _, code in change.left_out})
    left_out = [f"Distify-Left-Out: {', '.join(codes)}"] if codes else []
    taken = sorted({each.finding.code for _, each in change.suppressed})
    suppressed = [f"Distify-Suppressed: {', '.join(taken)}"] if taken else []
    accepted = sorted({each.obligation for _, each in change.taken_on})
    taken_on = [f"Distify-Taken-On: {', '.join(accepted)}"] if accepted else []
    rule = [f"Distify-Rule: {change.code}", f"Distify-Version: {__version__}"]
    return [*rule, *needs, *left_out, *suppressed, *taken_on]


def link(code: str) -> str:
    """Where the page of a rule is read: on the project's site, if it has one, and offline."""
    offline = f"distify explain {code}"
    site = _site()
    return f"{site}/blob/v{__version__}/codemods/pages/{code}.md ({offline})" if site else offline


@cache
def _site() -> str:
    """The address of the sources that the package was published with."""
    from importlib import metadata

    try:
        known = metadata.metadata("distify-horovod").get_all("Project-URL")
    except metadata.PackageNotFoundError:
        return ""
    urls: dict[str, str] = dict(line.split(", ", 1) for line in known or [])
    return urls.get("Source", "").rstrip("/")
