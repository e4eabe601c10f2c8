"""The token for git, and for nobody else.

It reaches git by environment variables only (`GIT_CONFIG_COUNT`, git-config(1)): no argument,
address or configuration file ever holds it. So nothing that a repository names is started by a
command that gets it: neither hooks nor helpers, nor programs for other protocols than HTTP.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from urllib.parse import urlsplit

# What no trace shows, whatever a person asked for; no setting and no variable is called "-".
UNTRACED = {
    "GIT_TRACE_REDACT": "1",
    "GIT_TRACE2_CONFIG_PARAMS": "-",
    "GIT_TRACE2_ENV_VARS": "-",
}


GITHUBS = "x-access-token"
PROTOCOLS = ("http", "https")  # `ext::COMMAND` would run a command
# Each is a program that git would run, and which would inherit the token.
ALONE = (
    ("credential.helper", ""),
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.alternateRefsCommand", "true"),  # of the shell: it says nothing
)


def basic(token: str, user: str = GITHUBS) -> str:
    """The token as a header holds it, with the name that the server wants to see beside it."""
    return base64.b64encode(f"{user}:{token}".encode()).decode("ascii")


def without_secret(url: str) -> str:
    """The address without a name or password that somebody wrote into it."""
    parts = urlsplit(url)
    if not parts.scheme.startswith("http") or "@" not in parts.netloc:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def credentials(
    urls: Sequence[str],
    token: str,
    server: str,
    before: Sequence[tuple[str, str]] = (),
    user: str = GITHUBS,
) -> dict[str, str]:
    """Variables that give git the token for these very addresses, in the place of any other one.

    An empty header first: it takes away those that actions/checkout leaves in the configuration,
    since two would be refused. No redirect is followed: git would show the token wherever it leads.
    And no helper is asked: where the token is refused, git would have it forget a good password.
    """
    env = {"GIT_TERMINAL_PROMPT": "0"} if token else {}
    settings = list(before)
    for url in map(without_secret, urls if token else ()):
        if _place(url) == _place(server):
            key = f"http.{url}"
            settings += [(f"{key}.followRedirects", "false"), (f"{key}.extraheader", "")]
            settings += [(f"{key}.extraheader", f"AUTHORIZATION: basic {basic(token, user)}")]
            settings += [(f"credential.{url}.helper", "")]
            env |= {**UNTRACED, "GIT_ASKPASS": ""}  # neither that one nor any other program
            env["GIT_ALLOW_PROTOCOL"] = ":".join(_protocols())
    if "GIT_ALLOW_PROTOCOL" in env:
        settings += ALONE
    count = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    for number, (key, value) in enumerate(settings, count):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {**env, "GIT_CONFIG_COUNT": str(count + len(settings))} if settings else env


def _protocols() -> list[str]:
    """Those that speak HTTP, and that the person allows."""
    allowed = os.environ.get("GIT_ALLOW_PROTOCOL", ":".join(PROTOCOLS)).split(":")
    return [each for each in PROTOCOLS if each in allowed]


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()
