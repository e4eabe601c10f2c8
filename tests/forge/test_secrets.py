"""Who gets the token: one server and nobody else, whatever a remote, an answer or a person says."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from distify.assistant.git.credentials import basic
from distify.assistant.pull.wire import MOST
from repeated import several

from .project import BRANCH, Project
from .server import REPOSITORY, TOKEN, Fault, Redirect
from .test_checkouts import script
from .test_pr import operation, outside

Heard = list[tuple[str, str]]  # method and Authorization


@pytest.fixture
def stranger() -> Iterator[tuple[str, Heard]]:
    """Another server, which notes who shows it a token."""
    heard: Heard = []

    class Listening(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append((self.command, self.headers.get("Authorization") or ""))
            if "info/refs" not in self.path:
                self.send_error(404)
                return
            about = b"001e# service=git-upload-pack\n0000000eversion 2\n0013ls-refs=unborn\n0000"
            self.send_response(200)
            self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
            self.send_header("Content-Length", str(len(about)))
            self.end_headers()
            self.wfile.write(about)

        def do_POST(self) -> None:
            heard.append((self.command, self.headers.get("Authorization") or ""))
            self.send_error(403)

        def log_message(self, *parts: object) -> None:
            """Nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}", heard
    server.shutdown()
    server.server_close()


def tokens(heard: Heard) -> list[str]:
    return [shown for _, shown in heard if shown]


@pytest.mark.parametrize("status", several(307, 301))
def test_git_shows_no_token_where_it_is_sent_to(
    project: Project, stranger: tuple[str, Heard], status: int
) -> None:
    there, heard = stranger
    project.github.redirects.append(Redirect(r"\.git/", there, status))
    said = project.pr(code=2)
    assert tokens(heard) == []
    assert "`git remote set-url origin" in said


@pytest.mark.parametrize(
    ("method", "status"),
    [
        ("GET", 302),
        ("POST", 307),
        pytest.param("GET", 308, marks=pytest.mark.slow),
        pytest.param("POST", 301, marks=pytest.mark.slow),
    ],
)
def test_the_api_shows_no_token_where_it_is_sent_to(
    project: Project, stranger: tuple[str, Heard], method: str, status: int
) -> None:
    there, heard = stranger
    project.github.redirects.append(Redirect("/pulls", there, status, method))
    said = project.pr(code=2)
    assert tokens(heard) == []
    assert method == "GET" or heard == []  # what changes something is not sent along at all
    assert "error: " in said
    assert not project.github.pulls


@pytest.mark.slow
def test_a_terminals_token_is_for_githubs_own_server(project: Project) -> None:
    """Somebody has a token of github.com at hand, and a clone from anywhere else."""
    nowhere = outside(project)
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        said = project.pr(code=2, **{**nowhere, name: TOKEN})
        assert "GH_ENTERPRISE_TOKEN" in said
        project.pr("--dry-run", code=2, **{**nowhere, name: TOKEN})
    assert not project.github.seen
    assert not project.github.shown
    project.pr(**{**nowhere, "GH_ENTERPRISE_TOKEN": TOKEN})
    assert project.github.head(BRANCH)


@pytest.mark.parametrize(
    "token", several("two\nlines", "two words", "ünïcode", "nul\x7f", "a\ttab")
)
def test_what_can_be_no_token_is_told_but_not_shown(project: Project, token: str) -> None:
    said = project.pr(code=2, GITHUB_TOKEN=token)
    assert "copy it again" in said
    assert "Traceback" not in said
    assert token.split()[-1] not in said.replace("two", "")
    assert not project.github.seen


def test_white_space_around_a_token_does_no_harm(project: Project) -> None:
    project.pr(GITHUB_TOKEN=f"  {TOKEN}\r\n")
    assert operation(project) == "created"


def test_a_password_in_the_remotes_address_is_no_argument(project: Project) -> None:
    address = project.github.url.replace("://", "://me:pa55word@")
    project.git("remote", "set-url", "origin", f"{address}/{REPOSITORY}.git")
    log = project.home / "trace"
    project.pr(GIT_TRACE=str(log))
    assert operation(project) == "created"
    text = log.read_text(encoding="utf-8")
    assert "ls-remote" in text
    # Asking what the address is shows it to distify alone.
    assert "pa55word" not in text


def test_the_repositorys_own_programs_get_no_token(project: Project) -> None:
    hook = project.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv > {project.home}/environment\n")
    hook.chmod(0o755)
    project.pr(DISTIFY_PR_TOKEN=TOKEN, GITHUB_TOKEN="")
    assert operation(project) == "created"
    told = (project.home / "environment").read_text(encoding="utf-8")
    assert "PATH=" in told
    assert TOKEN not in told


@pytest.mark.parametrize("name", several("GH_ENTERPRISE_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"))
def test_a_token_by_any_name_is_hidden_from_them(project: Project, name: str) -> None:
    script(project.folder / ".git/hooks/pre-commit", f"env > {project.home}/environment")
    config = project.folder / ".git/config"
    filtered = f'[filter "x"]\n\tclean = "env >> {project.home}/environment; cat"\n'
    config.write_text(config.read_text() + filtered)
    (project.folder / ".git/info/attributes").write_text("*.py filter=x\n")
    project.pr(**{"DISTIFY_PR_TOKEN": TOKEN, "GITHUB_TOKEN": "", name: "ghs_another"})
    assert operation(project) == "created"
    told = (project.home / "environment").read_text(encoding="utf-8")
    assert "PATH=" in told
    assert "ghs_another" not in told


def test_nothing_that_a_push_starts_gets_the_token(project: Project) -> None:
    """Hooks that a person has for all repositories would run in our scratch one, too."""
    hooks, config = project.home / "hooks", project.home / "config"
    for name in ("reference-transaction", "fsmonitor", "pre-push"):
        told = f"echo {name} >> {project.home}"
        seen = f"env | grep -q '{basic(TOKEN)}' && {told}/seen"
        script(hooks / name, f"{told}/ran; {seen}; exit 0")
    config.write_text(f"[core]\n\thooksPath = {hooks}\n\tfsmonitor = {hooks}/fsmonitor\n")
    project.pr(GIT_CONFIG_GLOBAL=str(config))
    assert operation(project) == "created"
    assert "pre-push\n" in (project.home / "ran").read_text()
    assert not (project.home / "seen").exists()


@pytest.mark.parametrize("scope", several(' "{url}"', "", ' "{url}/someone/project.git"'))
def test_a_wrong_token_costs_nobody_the_password_that_git_keeps(
    project: Project, scope: str
) -> None:
    """Where the server refuses what a helper knows, git has the helper forget it."""
    kept, config, asked = (project.home / name for name in ("kept", "config", "asked"))
    kept.write_text(project.github.url.replace("://", "://me:pa55word@") + "\n")
    helper = f"\thelper = store --file {kept}\n"
    config.write_text(f"[credential{scope.format(url=project.github.url)}]\n{helper}")
    ask = script(project.home / "ask", f"echo x >> {asked}; echo x")
    said = project.pr(
        code=2, GITHUB_TOKEN="wrong", GIT_CONFIG_GLOBAL=str(config), GIT_ASKPASS=str(ask)
    )
    assert "the token is not valid here" in said
    assert "pa55word" in kept.read_text()
    assert not asked.exists()


@pytest.mark.parametrize("options", several([], ["--base", ""], ["--dry-run"]))
def test_an_answer_that_repeats_the_token_is_not_repeated(
    project: Project, options: list[str]
) -> None:
    project.github.echo = True
    said = project.pr(*options, code=2)
    assert TOKEN not in said
    assert "No: Bearer ***" in said


def test_a_token_where_a_long_answer_is_cut_is_not_shown_in_part(project: Project) -> None:
    said = {"message": "x" * (MOST - 12) + TOKEN}
    project.github.faults.append(Fault("GET", "/pulls$", 422, body=said))
    assert TOKEN[:8] not in project.pr(code=2)


def test_what_git_repeats_of_the_token_is_not_repeated(project: Project) -> None:
    hook = project.github.bare / "hooks" / "pre-receive"
    hook.write_text(f"#!/bin/sh\necho 'no: {TOKEN} {basic(TOKEN)}' >&2\nexit 1\n")
    hook.chmod(0o755)
    said = project.pr(code=2)
    assert "no: *** ***" in said
    assert TOKEN not in said
    assert basic(TOKEN) not in said


def test_a_trace_that_is_told_to_show_all_does_not_show_it(project: Project) -> None:
    traces = {name: project.home / name for name in ("GIT_TRACE_CURL", "GIT_TRACE", "GIT_TRACE2")}
    shown = ",".join(f"GIT_CONFIG_VALUE_{number}" for number in range(9))
    asked = {"GIT_TRACE2_ENV_VARS": shown, "GIT_TRACE2_CONFIG_PARAMS": "http.*"}
    asked["GIT_TRACE_REDACT"] = "0"
    project.pr(**asked, **{name: str(path) for name, path in traces.items()})
    assert operation(project) == "created"
    for path in traces.values():
        text = path.read_text(encoding="utf-8", errors="replace")
        assert text
        assert TOKEN not in text
        assert basic(TOKEN) not in text
