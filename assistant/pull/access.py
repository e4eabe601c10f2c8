"""Which repository at which forge is meant, and the token: `origin` and environment tell."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from ..git.command import Refused
from ..git.credentials import without_secret
from .forge_kinds import GITHUB, GITLAB, Kind, host_of, kind_of

# No option holds it: other users of a machine see the arguments of every process.
ANY = ("DISTIFY_PR_TOKEN",)
# As GitHub's own `gh` reads them: who has a token of github.com at hand may be in anybody's clone.
PUBLIC = ("GITHUB_TOKEN", "GH_TOKEN")
ENTERPRISE = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
LAB = ("GITLAB_TOKEN",)
CLOUD = re.compile(r"https://(github\.com|[\w-]+\.ghe\.com)")
SIGNS = re.compile(r"[!-~]+")  # more than any token has
SSH_AT_443 = "ssh.github.com"  # for networks that let nothing else through
HERE = ("localhost", "127.0.0.1", "::1")
SSH = re.compile(r"(?:[^@/]+@)?(?P<host>[^:/]+):(?!//)(?P<path>.+)")


class Where(NamedTuple):
    """The server that people see, its API, `owner/name`, and what kind it is of."""

    server: str
    api: str
    slug: str
    kind: Kind = GITHUB

    def web(self, fork: str = "") -> str:
        """The repository's address for people, or that of a fork."""
        return f"{self.server}/{fork or self.slug}{self.kind.pages}"

    def robot(self, environment: Mapping[str, str] = os.environ) -> tuple[str, str] | None:
        """Who commits in a job of GitLab's that names nobody: the same one, whoever starts it."""
        if self.kind is GITLAB and environment.get("GITLAB_CI") == "true":
            return ("distify", f"distify@noreply.{host_of(self.server)}")
        return None


def token(server: str, environment: Mapping[str, str] = os.environ) -> str:
    """The first one there is for this server; empty without any. Raises Refused for nonsense."""
    names = ANY + _own(server, environment)
    found = next(filter(None, (environment.get(name, "").strip() for name in names)), "")
    if found and not SIGNS.fullmatch(found):
        raise Refused(
            "the token holds a blank, a line end or a letter with an accent: copy it again"
        )
    return found


def taken_tokens() -> dict[str, str]:
    """Every token by its name; for whatever is started from now on, there is none."""
    return taken((*ANY, *PUBLIC, *ENTERPRISE, *LAB))


def token_names(server: str, environment: Mapping[str, str] = os.environ) -> str:
    """Where a token for this server is looked for, in words."""
    if kind_of(server, environment) is GITLAB:
        if _own(server, environment):
            return "GITLAB_TOKEN"
        named = host_of(server)
        return f"GITLAB_HOST={named} (without it a token is for gitlab.com) and GITLAB_TOKEN"
    if _is_githubs(server, environment):
        return "GITHUB_TOKEN or GH_TOKEN"
    return f"GH_ENTERPRISE_TOKEN (GITHUB_TOKEN and GH_TOKEN are not for {server})"


def _own(server: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The variables whose token is meant for this server."""
    if kind_of(server, environment) is GITLAB:
        home = _named_address(environment, GITLAB) or environment.get("GITLAB_HOST") or "gitlab.com"
        return LAB if host_of(server) == host_of(home) else ()
    return PUBLIC if _is_githubs(server, environment) else ENTERPRISE


def _is_githubs(server: str, environment: Mapping[str, str]) -> bool:
    """Whether it is github.com, a company's part of it, or what the workflow runs on."""
    return bool(CLOUD.fullmatch(server)) or server == _named_address(environment, GITHUB)


def _named_address(environment: Mapping[str, str], kind: Kind) -> str:
    return environment.get(kind.workflow[0], "").rstrip("/")


def where(origin: str, environment: Mapping[str, str] = os.environ) -> Where:
    """`origin` decides where it is on that server, else what the workflow says. Raises Refused."""
    server, slug = _told_by(origin)
    kind = kind_of(server, environment)
    named, repository = _named_address(environment, kind), environment.get(kind.workflow[1], "")
    if named and host_of(named) == host_of(server):
        server, root = named, urlsplit(named).path.strip("/")  # GitLab may lie in a folder
        slug = slug.removeprefix(f"{root}/" if root else "")
    elif named:
        _refuse_another(server, slug, named, repository)
        server, slug = named, repository
    if not origin and not server:
        raise Refused(
            "can't tell which repository is meant, as there is no remote `origin`: "
            "`git remote add origin ADDRESS`"
        )
    if not server or not kind.slug.fullmatch(slug):
        raise Refused(
            f"can't tell which repository of {kind.name} is meant: `origin` should be its address, "
            f"or {kind.workflow[0]} and {kind.workflow[1]} ({kind.slugs}) say it"
        )
    if server != named:
        _refuse_plain(server)
    # Alone, it tells nothing about the server that `origin` names, whose token this is.
    api = environment.get(kind.workflow[2]) if named else ""
    return Where(server, api or _api(server, kind), slug, kind)


def fork_address(origin: str, place: Where, fork: str) -> str:
    """Where the branch is pushed to: as `origin`, with the fork in its place. Raises Refused."""
    if not place.kind.slug.fullmatch(fork):
        raise Refused(f"{fork!r} is no repository to push to: name it as {place.kind.slugs}")
    if fork.lower() == place.slug.lower():
        raise Refused(f"{fork} is the repository itself: leave --push-to-fork out, or name a fork")
    before, found, after = origin.rpartition(place.slug)
    if found and after.strip("/") in ("", ".git"):
        return f"{before}{fork}.git"
    return f"{place.server}/{fork}.git"


def _told_by(origin: str) -> tuple[str, str]:
    """The server's address and `owner/name`; empty for a remote that is only a folder."""
    parts = urlsplit(without_secret(origin))
    host = "github.com" if parts.hostname == SSH_AT_443 else parts.hostname
    ssh = None if "://" in origin else SSH.fullmatch(origin)
    if parts.scheme in ("http", "https"):
        server, path = f"{parts.scheme}://{parts.netloc.lower()}", parts.path
    elif parts.scheme in ("ssh", "git+ssh") and host:
        server, path = f"https://{host}", parts.path
    elif ssh:
        server, path = f"https://{ssh['host'].lower()}", ssh["path"]
    else:
        return "", ""
    return server, path.strip("/").removesuffix(".git")


def _refuse_another(server: str, slug: str, named: str, repository: str) -> None:
    """A cache of the workflow's repository, or another name for its server, is all right."""
    if server and repository and not f"/{slug}".lower().endswith(f"/{repository}".lower()):
        raise Refused(
            f"`origin` is {slug} at {server}, and the workflow's pull requests are those of "
            f"{repository} at {named}: run `distify pr` where the former belongs"
        )


def _refuse_plain(server: str) -> None:
    """The token would go over the wire for everybody to read."""
    parts = urlsplit(server)
    if parts.scheme == "http" and parts.hostname not in HERE:
        raise Refused(
            f"`origin` is at {server}, without encryption, so everybody on the way could read the "
            "token: `git remote set-url origin` to its https:// address"
        )


def _api(server: str, kind: Kind) -> str:
    """https://docs.github.com/enterprise-server/rest/quickstart, and that of Enterprise Cloud."""
    scheme, _, host = server.partition("://")
    if host == "github.com" or host.endswith(".ghe.com"):
        return f"{scheme}://api.{host}"
    return f"{server}{kind.api}"


# -- tokens leave this process's environment before anything is started --------------------------

SET_DUMPABLE = 4  # linux/prctl.h


def taken(names: Iterable[str]) -> dict[str, str]:
    """The variables that there are, which the environment doesn't hold any more."""
    found = {name: os.environ[name] for name in names if os.environ.get(name)}
    for name in found:
        _overwrite(name)
        del os.environ[name]
    if found:
        _hide_memory()
    return found


def _overwrite(name: str) -> None:
    """Fills the value with zeros where the system keeps it."""
    if os.name != "posix":
        return
    system = ctypes.CDLL(None)
    system.getenv.restype = ctypes.c_void_p
    address = system.getenv(os.fsencode(name))
    if address:
        ctypes.memset(address, 0, len(os.fsencode(os.environ[name])))


def _hide_memory() -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(SET_DUMPABLE, 0, 0, 0, 0)
