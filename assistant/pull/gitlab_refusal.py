"""What to do about a refusal of GitLab's REST API."""

from __future__ import annotations

import re

from .refusal import Refusals

REFUSALS = Refusals(
    obstacles=(
        (re.compile("insufficient_scope"), "the token needs the scope `api`"),
        (re.compile("archived"), "an archived project takes no branch and no merge request"),
        (re.compile("blocked|deactivated"), "use a token of another account"),
        (
            re.compile("IP address|ip restriction", re.IGNORECASE),
            "let the address of this machine into the list of those that may come",
        ),
    ),
    invalid="the token is not valid (or has expired), or is one of a job (CI_JOB_TOKEN)",
    asked=(400, 409, 422),
    inputs="options",
    forge="GitLab",
    repository="project",
    missing=lambda answer, path: "it needs the scope `api` and the role Developer",
)
