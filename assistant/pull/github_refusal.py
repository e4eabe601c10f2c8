"""What to do about a refusal of GitHub's REST API."""

from __future__ import annotations

import re

from .answer import Answer
from .refusal import Refusals

PERMISSIONS = {"/pulls": "`pull-requests: write`", "/issues": "`pull-requests: write`"}


def _missing(answer: Answer, path: str) -> str:
    return f"it needs the permission {_permission(answer, path)}, which forks don't get"


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


REFUSALS = Refusals(
    obstacles=(
        (
            re.compile("not permitted to create or approve pull requests"),
            "allow it in the repository's settings: Actions, General, "
            '"Allow GitHub Actions to create and approve pull requests"',
        ),
        (
            re.compile("SAML|single sign-on"),
            "authorize the token for it, on the page of your tokens",
        ),
        (re.compile("IP allow list"), "let the address of this machine into that list"),
        (re.compile("archived"), "an archived repository takes no branch and no pull request"),
        (re.compile("is locked"), "unlock the conversation"),
        (re.compile("suspended"), "use a token of another account"),
    ),
    invalid="the token is not valid (or has expired)",
    asked=(400, 422),
    inputs="inputs",
    forge="GitHub",
    repository="repository",
    missing=_missing,
)
