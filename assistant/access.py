"""Which repository on which GitHub is meant, and the token: `origin` and environment tell."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from .commits.remote import without_secret
from .commits.repository import Refused

# No option holds it: other users of a machine see the arguments of every process.
TOKENS = ("DISTIFY_PR_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
SSH = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?!//)(?P<path>.+)")
SLUG = re.compile(r"[\w.-]+/[\w.-]+")


class Where(NamedTuple):
    """The server that people see, its API, and `owner/name`."""

    server: str
    api: str
    slug: str

    @property
    def web(self) -> str:
        return f"{self.server}/{self.slug}"


def token(environment: Mapping[str, str] = os.environ) -> str:
    """The first one there is; empty without any."""
    return next(filter(None, (environment.get(name, "").strip() for name in TOKENS)), "")


def where(origin: str, environment: Mapping[str, str] = os.environ) -> Where:
    """`origin` decides where it is on that server, else what the workflow says. Raises Refused."""
    server, slug = _told_by(origin)
    named = environment.get("GITHUB_SERVER_URL", "").rstrip("/")
    if named and urlsplit(named).hostname == urlsplit(server).hostname:
        server = named
    elif named:
        server, slug = named, environment.get("GITHUB_REPOSITORY", "")
    if not server or not SLUG.fullmatch(slug):
        raise Refused(
            "can't tell which repository of GitHub is meant: `origin` should be its address, "
            "or GITHUB_SERVER_URL and GITHUB_REPOSITORY (owner/name) say it"
        )
    return Where(server, environment.get("GITHUB_API_URL") or _api(server), slug)


def _told_by(origin: str) -> tuple[str, str]:
    """The server's address and `owner/name`; empty for a remote that is only a folder."""
    parts = urlsplit(without_secret(origin))
    ssh = None if "://" in origin else SSH.fullmatch(origin)
    if parts.scheme in ("http", "https"):
        server, path = f"{parts.scheme}://{parts.netloc}", parts.path
    elif parts.scheme in ("ssh", "git+ssh") and parts.hostname:
        server, path = f"https://{parts.hostname}", parts.path
    elif ssh:
        server, path = f"https://{ssh['host']}", ssh["path"]
    else:
        return "", ""
    return server, path.strip("/").removesuffix(".git")


def _api(server: str) -> str:
    """https://docs.github.com/enterprise-server/rest/quickstart"""
    return "https://api.github.com" if server == "https://github.com" else f"{server}/api/v3"
