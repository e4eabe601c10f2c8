"""The kinds of forges: what each calls things, and where a job of it says where it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

NAME = r"(?!\.\.?(?:/|$))[\w.-]+"  # no step through folders


@dataclass(frozen=True)
class Kind:
    """A kind of forge. `workflow` has the variables of server, repository and API."""

    name: str
    noun: str
    mark: str  # before its number
    user: str  # that git names beside a token
    pages: str  # between a repository's address and its pages
    api: str  # below the server's address
    slug: re.Pattern[str]
    slugs: str  # what these look like
    workflow: tuple[str, str, str]
    needs: str  # what a token must be able to do


GITHUB = Kind(
    "GitHub",
    "pull request",
    "#",
    "x-access-token",
    "",
    "/api/v3",
    re.compile(f"{NAME}/{NAME}"),
    "owner/name",
    ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_API_URL"),
    "with the permissions `contents: write` and `pull-requests: write` (--dry-run can do without); "
    "in a workflow the input `token` is empty, as secrets are in runs for forks",
)
GITLAB = Kind(
    "GitLab",
    "merge request",
    "!",
    "oauth2",
    "/-",
    "/api/v4",
    re.compile(f"{NAME}(?:/{NAME})+"),  # groups in groups
    "group/name",
    ("CI_SERVER_URL", "CI_PROJECT_PATH", "CI_API_V4_URL"),
    "of a project or a person, with the scopes `api` and `write_repository` and the role Developer "
    "(--dry-run can do without); the job's own CI_JOB_TOKEN can open no merge request",
)


def kind_of(server: str, environment: Mapping[str, str]) -> Kind:
    """By what runs this, else by the server's name; GITLAB_HOST has one as `glab` reads it."""
    if environment.get(GITHUB.workflow[0]):
        return GITHUB
    host = host_of(server)
    known = host in ("gitlab.com", host_of(environment.get("GITLAB_HOST", "")))
    like = any(label.startswith("gitlab") for label in host.split("."))
    told = environment.get(GITLAB.workflow[0])
    return GITLAB if told or (host and (known or like)) else GITHUB


def host_of(server: str) -> str:
    """The name of a server, which may be given without a scheme."""
    return urlsplit(server if "://" in server else f"https://{server}").hostname or ""
