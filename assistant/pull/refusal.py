"""What a refusal of GitHub's REST API says, and what to do about it."""

from __future__ import annotations

import re
from typing import Any

from .answer import Answer

# Refusals that no permission of a token would change: GitHub's words, and what to do.
OBSTACLES = (
    (
        re.compile("not permitted to create or approve pull requests"),
        "allow it in the repository's settings: Actions, General, "
        '"Allow GitHub Actions to create and approve pull requests"',
    ),
    (re.compile("SAML|single sign-on"), "authorize the token for it, on the page of your tokens"),
    (re.compile("IP allow list"), "let the address of this machine into that list"),
    (re.compile("archived"), "an archived repository takes no branch and no pull request"),
    (re.compile("is locked"), "unlock the conversation"),
    (re.compile("suspended"), "use a token of another account"),
)
PERMISSIONS = {"/pulls": "`pull-requests: write`", "/issues": "`pull-requests: write`"}


def advice(answer: Answer, method: str, path: str) -> str:
    """What to do about a refusal, by its words, else by its status."""
    status, said = answer.status_code, message(answer)
    known = next((way for sign, way in OBSTACLES if sign.search(said)), "")
    if known:
        return known
    if status < 400:
        return "the repository has another name now: `git remote set-url origin ADDRESS`"
    if status == 401:
        return "the token is not valid (or has expired)"
    if status in (400, 422):
        return "this is what was asked for; look at the inputs"
    if status not in (403, 404):
        return "it is like that at GitHub, whatever inputs and token say"
    missing = f"it needs the permission {_permission(answer, path)}, which forks don't get"
    if status == 403 or method != "GET":
        return f"the token may not do this: {missing}"
    return f"the token may not see this ({missing}), or there is no repository of this name"


def _permission(answer: Answer, path: str) -> str:
    """GitHub names it itself, as a rule: `pull_requests=write; issues=write`, any one will do."""
    named = answer.headers.get("X-Accepted-GitHub-Permissions", "")
    ways = [way.strip() for way in named.split(";") if "=" in way]
    if ways:
        # The documentation names that one.
        known = next((way for way in ways if way.startswith("pull_requests")), ways[0])
        both = known.replace("_", "-").replace("=", ": ").split(",")
        return " and ".join(f"`{one.strip()}`" for one in both)
    return next((k for start, k in PERMISSIONS.items() if path.startswith(start)), "write")


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
