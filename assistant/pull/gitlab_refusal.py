"""What to do about a refusal of GitLab's REST API."""

from __future__ import annotations

import re

from .answer import Answer
from .refusal import message

# Refusals that no scope of a token would change: GitLab's words, and what to do.
OBSTACLES = (
    (re.compile("insufficient_scope"), "the token needs the scope `api`"),
    (re.compile("archived"), "an archived project takes no branch and no merge request"),
    (re.compile("blocked|deactivated"), "use a token of another account"),
    (re.compile("IP address|ip restriction", re.IGNORECASE), "let the address of this machine in"),
)


def advice(answer: Answer, method: str, path: str) -> str:
    """What to do about a refusal, by its words, else by its status."""
    status, said = answer.status_code, message(answer)
    known = next((way for sign, way in OBSTACLES if sign.search(said)), "")
    if known:
        return known
    if status < 400:
        return "the project has another name now: `git remote set-url origin ADDRESS`"
    if status == 401:
        return "the token is not valid (or has expired), or is one of a job (CI_JOB_TOKEN)"
    if status in (400, 409, 422):
        return "this is what was asked for; look at the options"
    if status not in (403, 404):
        return "it is like that at GitLab, whatever options and token say"
    missing = "it needs the scope `api` and the role Developer"
    if status == 403 or method != "GET":
        return f"the token may not do this: {missing}"
    return f"the token may not see this ({missing}), or there is no project of this name"
