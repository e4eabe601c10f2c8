"""`distify pr`: the options, what a person is told, and what a workflow gets."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..files import levels
from ..files.choice import Choice
from ..files.result import Result, look
from ..files.taken_on import RULES, unsound_of
from ..report import actions
from ..report.tell import tell_warnings
from ..report.terminal import Terminal
from . import options
from .pr_wishes import TITLE, base_branch, several, wishes_of
from .workflow import FAILED, Step, guarded, option, refuse

if TYPE_CHECKING:
    from ..git.repository import Repository
    from ..pull.access import Where
    from ..pull.decision import PullResult, Situation
    from ..pull.forge import Forge

INTERRUPTED = 130
CHECKOUT = "let actions/checkout run before, and name its `path`, if it has one, in `paths`"


@click.command(
    cls=Step, short_help="Open a pull request with the migration, and keep it up to date."
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=options.files)
@click.option("--dry-run", is_flag=True, help="Only tell what would be done; write nothing.")
@option("--branch", "The pull request's branch.", default="distify/migrate", show_default=True)
@option("--push-to-fork", "A fork that the branch is pushed to.", default="", metavar="OWNER/REPO")
@option("--base", "The branch it goes to. [default: what is checked out]", default="")
@option("--title", "Its title.", default=TITLE, show_default=True)
@option("--body", "Words of your own at the top of its text.", default="")
@option("--body-file", "A file with these words; it takes the place of --body.",
        given="body-path", default="", metavar="FILE", shell_complete=options.files)  # fmt: skip
@option("--labels", "Labels, with commas between.", default="")
@option("--assignees", "People, with commas between.", default="")
@option("--reviewers", "People who are asked for a review.", default="")
@option("--team-reviewers", "Teams that are asked for a review.", default="")
@option("--milestone", "A milestone, by its number or its title.", default="")
@option("--draft/--no-draft", "Open it as a draft.", default=False)
@option(
    "--delete-branch/--keep-branch",
    "Delete the branch when nothing is left to migrate.",
    default=True,
)
@option("--commit-message", "Words before each commit's subject, like [skip ci].", default="")
@option(
    "--sign-commits/--no-sign-commits",
    "Have GitHub make the commits, and so sign them; with the token of a bot.",
    default=False,
)
@option("--select", "Only these rules, and those they need.",
        default="", metavar="CODES", shell_complete=options.codes)  # fmt: skip
@option("--ignore", "Leave these rules out.",
        default="", metavar="CODES", shell_complete=options.codes)  # fmt: skip
@option(
    "--unsound",
    "Apply them though a file needs others; with =NAME take on you what the judge can't prove: an "
    "obligation, or a comma list. The pull request and every commit say so.",
    default="",
    metavar="[=NAME]",
)
@click.option("--sound", is_flag=True, hidden=True)  # its opposite, for who has it in a setting
@option(
    "--fail-on",
    "When to fail although the pull request is as it should be.",
    type=click.Choice(levels.WORDS),
    default=levels.UNREADABLE,
    show_default=True,
)
@click.option("--no-verify", is_flag=True, help="Commit without pre-commit and commit-msg hooks.")
@options.color
def pr(paths: tuple[str, ...], dry_run: bool, color: str, fail_on: str, **given: Any) -> None:
    """Open a pull request with the migration of PATHs, one commit per rule, and keep it current.

    Files, index and branches here stay as they are: the commits are built beside them on what is
    checked out, and pushed to `origin`. Run it again after every change of the base: it updates the
    pull request, leaves it if it is current, and closes it and deletes its branch when nothing is
    left to migrate. A branch with a commit of anybody else is never overwritten.

    The token comes from DISTIFY_PR_TOKEN, GITHUB_TOKEN or GH_TOKEN, for an Enterprise Server from
    GH_ENTERPRISE_TOKEN, and needs the permissions `contents: write` and `pull-requests: write`. At
    GitLab it opens a merge request, with GITLAB_TOKEN (scopes `api` and `write_repository`). There
    is no option for it: everybody on a machine sees the arguments of a process.

    \b
    Examples:
      distify pr --dry-run                  what would be done
      GH_TOKEN=$(gh auth token) distify pr src --base main --draft
      distify pr --labels horovod --reviewers someone --fail-on error

    \b
    Exit code:
      0    the pull request is as it should be (or there is nothing to migrate)
      1    as --fail-on says: something is blocked, or would change
      2    it failed, and the message says why; or, unless it says never, a file could not be
           read or parsed
    """
    paths = paths or tuple(several(os.environ.get("DISTIFY_PR_PATHS", ""), ("\n",))) or (".",)
    terminal = Terminal(color)
    with guarded():
        code = _pull_request(paths, dry_run, fail_on, given, terminal)
    sys.exit(code)


def _pull_request(
    paths: tuple[str, ...], dry_run: bool, fail_on: str, given: Any, terminal: Terminal
) -> int:
    try:
        from ..pull.forge import ForgeProblem
    except ImportError:
        raise click.UsageError("`distify pr` needs requests: pip install requests") from None
    from ..codemods import BadChoice
    from ..pull import access

    tokens = access.taken_tokens()  # first of all: whatever is started sees none
    from ..files.codes import UnknownCode
    from ..files.config import ConfigProblem
    from ..git import environment, history
    from ..git.command import Refused
    from ..pull import report

    try:
        _refuse_missing(paths)
        chosen = several(given["select"]), several(given["ignore"])
        leaves_out, taken_on = unsound_of(_unsound("" if given["sound"] else given["unsound"]))
        choice = Choice(*chosen, unsound=leaves_out, taken_on=taken_on)
        with environment.clean():
            repository = _repository(paths[0])
        history.mend([repository.top])  # before files are looked at
        result = look(paths, choice, terminal)
        with environment.clean():
            found, done = _open_request(repository, result, dry_run, given, tokens)
    except (UnknownCode, ConfigProblem, BadChoice, Refused, ForgeProblem, OSError) as error:
        refuse(error)
    except KeyboardInterrupt:
        terminal.say("interrupted; run it again to complete what was begun")
        sys.exit(INTERRUPTED)
    tell_warnings(terminal, result)
    report.tell(terminal, found, done, given["branch"], dry_run)
    return _exit_code(result, fail_on, done)


def _unsound(given: str) -> tuple[str, ...]:
    """Obligations, or the word for rules that are left out; a workflow may say it as a boolean."""
    word = given.strip().lower()
    if word in ("", "false", "no", "off", "0"):
        return ()
    return (RULES,) if word in ("true", "yes", "on", "1") else several(given)


def _refuse_missing(paths: Sequence[str]) -> None:
    """A path that is a mistake must not make a pull request smaller, or close it."""
    from ..git.command import Refused

    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise Refused("\n".join(f"{path}: no such file or folder" for path in missing))


def _repository(path: str) -> Repository:
    """Where the first path is: actions/checkout may have put it into a folder of the workspace."""
    from ..git import repository

    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path))
    return repository.find(folder, CHECKOUT if actions.running() else repository.BEGIN)


def _open_request(
    repository: Repository, result: Result, dry_run: bool, given: Any, tokens: Mapping[str, str]
) -> tuple[Situation, PullResult]:
    from ..git import identity
    from ..git.remote import Remote
    from ..pull import access
    from ..pull.carry_out import carry_out
    from ..pull.decision import NoToken, PullResult, decide, find
    from ..pull.wishes import check_names

    origin = repository.ask("remote", "get-url", "--push", "origin")
    place, fork = access.where(origin), given["push_to_fork"]
    address = access.fork_address(origin, place, fork) if fork else ""
    token = access.token(place.server, {**os.environ, **tokens})
    remote = Remote(repository, token, place.server, address, place.kind.user)
    if not token and not dry_run:
        raise NoToken(access.token_names(place.server), place.kind.needs)
    forge = forge_at(place, token, fork) if token else None
    base = base_branch(given, repository, place.slug) or (forge and forge.default_branch()) or ""
    wishes = wishes_of(given, base)
    check_names(repository, wishes, token)
    robot = identity.BOT if actions.running() else place.robot()
    with identity.in_workflow(repository, robot):
        found = find(repository, remote, forge, place, result, wishes)
    decision = decide(found)
    if dry_run or forge is None:
        head = found.story.ids[-1] if found.story.ids else ""
        return found, PullResult(decision, pull=found.pull, head=head)
    return found, carry_out(decision, found, remote, forge, wishes)


def _exit_code(result: Result, fail_on: str, done: PullResult) -> int:
    if done.trouble:
        return FAILED
    return levels.exit_code(result.outcomes, result.failed, fail_on)


# -- the forge, and how it is waited for ---------------------------------------------------------

TOLD = 10  # seconds


def forge_at(place: Where, token: str, fork: str) -> Forge:
    """The one of the right kind; `fork` is the repository that the branch is pushed to."""
    from ..pull.forge import Access
    from ..pull.forge_kinds import GITLAB
    from ..pull.github_api import GitHub
    from ..pull.gitlab_api import GitLab

    made = GitLab if place.kind is GITLAB else GitHub
    return made(Access(place.api, place.slug, token), wait, fork)


def wait(seconds: float) -> None:
    """A server asks for patience, of minutes at times; nobody should take that for a hang."""
    if seconds >= TOLD:
        Terminal().say(f"waiting for {seconds:.0f} s, as the server asks")
    time.sleep(seconds)
