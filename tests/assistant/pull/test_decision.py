"""What a pull request should become, decided from what is there; what its text holds."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from distify.assistant import pull
from distify.assistant.cli.pr import pr
from distify.assistant.git.command import Refused
from distify.assistant.git.credentials import credentials, without_secret
from distify.assistant.git.history import Proposal
from distify.assistant.git.identity import People
from distify.assistant.git.message import sealed
from distify.assistant.git.ownership import Branch, Written
from distify.assistant.git.plan import Change
from distify.assistant.git.series import Commit
from distify.assistant.pull import access, report
from distify.assistant.pull.decision import Decision, PullResult, Situation, decide
from distify.assistant.pull.description import LIMIT, body, is_current
from distify.assistant.pull.forge import Pull
from distify.assistant.pull.story import Remark, Story

CHANGE = Change("D104", {"train.py": b""}, (("train.py", 3),), ())
STORY = Story("https://github.com/o/r", "main", "base", [CHANGE], ["commit"], [], [])
SERIES = Proposal("base", "tree", [CHANGE], [Commit("commit", "subject")])
NO_SERIES = Proposal("base", "", [], [])
OURS = Branch("commit", "tree", "base", ("commit",), False, False, ("subject",))
PULL = Pull(1, "url", "title", body(STORY), "commit", False)


def test_reasons_of_more_places_than_fit_are_cut() -> None:
    told = [Remark("train.py", n, "", "D104: Scale the learning rate.") for n in range(2, 2000)]
    text = body(replace(STORY, why=told))
    assert len(text.encode()) <= LIMIT
    assert "[`train.py:2`](https://github.com/o/r/blob/base/train.py#L2) D104: Scale" in text
    assert "more, cut here: `distify migrate --diff` tells them all" in text
    assert "Why each place changes" not in body(STORY)


@pytest.mark.parametrize(
    ("proposal", "branch", "pull", "failed", "decision"),
    [
        (SERIES, None, None, False, Decision.CREATE),
        (SERIES, OURS, None, False, Decision.CREATE),
        (SERIES, None, PULL, False, Decision.UPDATE),
        (SERIES, OURS, PULL, False, Decision.NOTHING),
        (SERIES, OURS, PULL, True, Decision.NOTHING),
        (SERIES, replace(OURS, base="older"), PULL, False, Decision.UPDATE),
        (SERIES, replace(OURS, tree="other"), PULL, False, Decision.UPDATE),
        (SERIES, replace(OURS, subjects=("subject", "b")), PULL, False, Decision.UPDATE),
        (SERIES, replace(OURS, subjects=("[skip ci] subject",)), PULL, False, Decision.UPDATE),
        (SERIES, OURS, PULL._replace(body=""), False, Decision.UPDATE),
        (SERIES, OURS, PULL._replace(body=f"mine {PULL.body}"), False, Decision.NOTHING),
        (SERIES, replace(OURS, foreign=True), PULL, False, Decision.RESPECT),
        (SERIES, replace(OURS, foreign=True), None, False, Decision.RESPECT),
        (NO_SERIES, replace(OURS, foreign=True), PULL, False, Decision.RESPECT),
        (SERIES, replace(OURS, tree="other", newer=True), PULL, False, Decision.NOTHING),
        (NO_SERIES, replace(OURS, newer=True), PULL, False, Decision.NOTHING),
        (NO_SERIES, None, None, False, Decision.NOTHING),
        (NO_SERIES, OURS, PULL, False, Decision.CLOSE),
        (NO_SERIES, OURS, None, False, Decision.CLOSE),
        (NO_SERIES, None, PULL, False, Decision.CLOSE),
        (NO_SERIES, OURS, PULL, True, Decision.NOTHING),
        (NO_SERIES, replace(OURS, ids=()), None, False, Decision.NOTHING),
    ],
)
def test_a_decision(
    proposal: Proposal, branch: Branch | None, pull: Pull | None, failed: bool, decision: Decision
) -> None:
    assert decide(Situation(proposal, branch, pull, STORY, failed)) is decision


WHO = People(("A", "a@x"), ("B", "b@x"))
TEXT = "distify(D104): scale\n\nDistify-Rule: D104\n"
SEALED = sealed(TEXT, "tree")
OWN = Written("1", ("0",), "tree", ("A", "a@x", "100"), ("B", "b@x", "100"), SEALED)


BOT = ("x[bot]", "1+x[bot]@users.noreply.github.com", "100")
GITHUBS = ("GitHub", "noreply@github.com", "100")
MADE = replace(OWN, author=BOT, committer=GITHUBS, signed=True)
PERSON = ("P", "1+p@users.noreply.github.com", "100")


@pytest.mark.parametrize(
    ("commit", "ours"),
    [
        (OWN, True),
        (replace(OWN, committer=("B", "b@x", "101")), False),  # amended
        (replace(OWN, committer=("C", "b@x", "100")), False),
        (replace(OWN, committer=("B", "c@x", "100")), False),
        (replace(OWN, author=("C", "a@x", "100")), False),
        (replace(OWN, text="distify(D104): mine"), False),
        (replace(OWN, text=TEXT), False),  # no seal
        (replace(OWN, text=SEALED + "\n"), True),
        (replace(OWN, tree="other"), False),
        (replace(OWN, text=SEALED.replace("scale", "leave")), False),
        (replace(OWN, text=SEALED + "Signed-off-by: A\n"), False),
        (replace(OWN, parents=("0", "9")), False),  # a merge
        (replace(OWN, parents=()), False),
        (MADE, True),
        (replace(MADE, committer=BOT), True),
        (replace(MADE, signed=False), False),
        (replace(MADE, committer=("GitHub", "noreply@github.com", "101")), False),  # rebased there
        (replace(MADE, author=PERSON), False),  # edited there
        (replace(MADE, author=PERSON, committer=PERSON), False),  # amended, and signed anew
        (replace(MADE, committer=PERSON), False),
        (replace(MADE, committer=("B", "b@x", "100")), False),
        (replace(MADE, author=("B", "b@x", "100"), committer=("B", "b@x", "100")), False),
        (replace(MADE, tree="other"), False),
        (replace(MADE, text=TEXT), False),
    ],
)
def test_a_commit_is_ours_as_we_wrote_it_only(commit: Written, ours: bool) -> None:
    assert commit.is_ours(WHO) is ours


@pytest.mark.parametrize("count", [0, 1, 50, 5_000])
@pytest.mark.parametrize("words", ["", "w" * 100_000, "ü" * 70_000])
@pytest.mark.parametrize("size", [10, 3_000])
def test_a_text_is_never_too_long(count: int, words: str, size: int) -> None:
    remarks = [Remark(f"{n}/{'`' * size}.py", n + 1, "R1", "a reason " * 20) for n in range(count)]
    many = {f"{n}/{'x' * 290}'\".py": b"" for n in range(500)}
    changes = [Change(f"D{n}", many, tuple((p, 1) for p in many), ()) for n in range(30)]
    ids = [f"{n:040}" for n in range(30)]
    story = replace(STORY, left=remarks, notes=remarks, words=words, changes=changes, ids=ids)
    text = body(story)
    assert len(text) <= len(text.encode()) <= LIMIT == 65_536
    assert is_current(story, text)
    assert (text.count("cut here") > 0) == (bool(words) or count * size >= 50_000)


@pytest.mark.parametrize(
    "words",
    ["```\nlog", "~~~~ x\n~~~", "```\n```x", "<!-- note", "```\na\n```\n<!-- a --> <!--",
     "`" * 30_000, "```\n" + "a log\n" * 9_000, "Fine.\n```\ncode\n```", "<!-- a -->"],
)  # fmt: skip
def test_whatever_a_persons_words_leave_open_the_table_is_one(words: str) -> None:
    text = body(replace(STORY, words=words))
    kinds = [t.type for t in MarkdownIt("commonmark").enable("table").parse(text)]
    assert "table_open" in kinds
    assert len(text.encode()) <= LIMIT


def test_ticks_stay_with_their_items_alone() -> None:
    remarks = [Remark("a.py", 1, "R1", "one"), Remark("b.py", 2, "R1", "two")]
    old = body(replace(STORY, left=remarks, base="old")).replace("- [ ] [`a.py", "- [X] [`a.py")
    new = body(replace(STORY, left=remarks), old)
    assert "- [x] [`a.py:1`]" in new
    assert "- [ ] [`b.py:2`]" in new


def test_what_failed_comes_before_what_is_blocked() -> None:
    """GitHub shows ten annotations of a kind in a step."""
    left = [Remark(f"{n}.py", 1, "", "can't be read") for n in range(60)]
    found = Situation(SERIES, None, PULL, replace(STORY, left=left))
    first, *others = report.annotated(found, PullResult(Decision.CREATE, trouble=["no reviewer"]))
    assert first.text == "no reviewer"
    assert len(others) == 50


def test_what_must_be_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "requests", None)
    for name in ("wire", "forge", "decision", "report"):
        monkeypatch.delitem(sys.modules, f"distify.assistant.pull.{name}", raising=False)
    monkeypatch.delattr(pull, "forge", raising=False)
    ran = CliRunner().invoke(pr, [])
    assert ran.exit_code == 2
    assert "pip install requests" in ran.output
    assert "distify[" not in ran.output  # on PyPI that name is another project's


def test_no_option_holds_the_token() -> None:
    assert not [p.name for p in pr.params if "token" in str(p.name)]


def test_series_without_signatures_are_made_anew_where_they_are_asked_for() -> None:
    unsigned = Situation(SERIES, OURS, PULL, STORY, sign=True)
    assert decide(unsigned) is Decision.UPDATE
    assert decide(replace(unsigned, branch=replace(OURS, signed=True))) is Decision.NOTHING
    assert decide(replace(unsigned, branch=replace(OURS, foreign=True))) is Decision.RESPECT


GITHUB = ("https://github.com", "https://api.github.com", "o/r")
WORKFLOW = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r"}


@pytest.mark.parametrize(
    ("origin", "environment", "expected"),
    [
        ("https://github.com/o/r.git", {}, GITHUB),
        ("https://github.com/o/r", {}, GITHUB),
        ("https://name:secret@github.com/o/r.git", {}, GITHUB),
        ("git@github.com:o/r.git", {}, GITHUB),
        ("github.com:o/r", {}, GITHUB),
        ("ssh://git@github.com/o/r.git", {}, GITHUB),
        ("ssh://git@ssh.github.com:443/o/r.git", {}, GITHUB),
        ("https://GitHub.com/o/r.git/", {}, GITHUB),
        ("git@GitHub.com:o/r.git", {}, GITHUB),
        ("https://x.ghe.com/o/r", {}, ("https://x.ghe.com", "https://api.x.ghe.com", "o/r")),
        ("http://localhost/o/r", {}, ("http://localhost", "http://localhost/api/v3", "o/r")),
        (
            "http://ghe.x/o/r",
            {"GITHUB_SERVER_URL": "http://ghe.x", "GITHUB_API_URL": "http://ghe.x/api/v3"},
            ("http://ghe.x", "http://ghe.x/api/v3", "o/r"),
        ),
        ("ssh://git@ghe.x:2222/o/r.git", {}, ("https://ghe.x", "https://ghe.x/api/v3", "o/r")),
        ("https://ghe.x:8443/o/r", {}, ("https://ghe.x:8443", "https://ghe.x:8443/api/v3", "o/r")),
        (
            "/srv/r.git",
            {"GITHUB_SERVER_URL": "https://ghe.x/", "GITHUB_REPOSITORY": "p/q"},
            ("https://ghe.x", "https://ghe.x/api/v3", "p/q"),
        ),
        (
            "https://ghe.x/o/other.git",
            {
                "GITHUB_SERVER_URL": "https://ghe.x",
                "GITHUB_API_URL": "a",
                "GITHUB_REPOSITORY": "p/q",
            },
            ("https://ghe.x", "a", "o/other"),
        ),
        ("https://github.com/o/r", {"GITHUB_API_URL": "https://ghe.x/api/v3"}, GITHUB),
        ("https://cache.x/github.com/O/r.git", WORKFLOW, GITHUB),
        ("git@another-name:o/r.git", WORKFLOW, GITHUB),
    ],
)
def test_where_the_repository_is(
    origin: str, environment: dict[str, str], expected: tuple[str, str, str]
) -> None:
    assert tuple(access.where(origin, environment)[:3]) == expected


@pytest.mark.parametrize("origin", ["https://ghe.x/o/other.git", "git@ghe.x:other/r.git"])
def test_another_servers_repository_has_no_pull_request_in_the_workflows(origin: str) -> None:
    """Its branches would be compared with pull requests that have nothing to do with them."""
    with pytest.raises(Refused, match=r"at https://ghe\.x, and the workflow's pull requests are"):
        access.where(origin, WORKFLOW)


@pytest.mark.parametrize(
    "origin", ["", "/srv/r.git", "../r", "https://github.com/o", "file:///x/y"]
)
def test_a_remote_that_tells_no_repository_is_refused(origin: str) -> None:
    with pytest.raises(Refused, match="which repository"):
        access.where(origin, {})


def test_without_a_remote_it_is_told_how_to_add_one() -> None:
    with pytest.raises(Refused, match="git remote add origin ADDRESS"):
        access.where("", {})


@pytest.mark.parametrize("origin", ["http://github.com/o/r.git", "http://127.0.0.1.example/o/r"])
def test_a_token_never_goes_unencrypted(origin: str) -> None:
    with pytest.raises(Refused, match="https"):
        access.where(origin, {})


ENTERPRISE = {"GITHUB_TOKEN": "public", "GH_TOKEN": "public", "GH_ENTERPRISE_TOKEN": "theirs"}


@pytest.mark.parametrize(
    ("server", "environment", "expected"),
    [
        ("https://github.com", ENTERPRISE, "public"),
        ("https://x.ghe.com", ENTERPRISE, "public"),
        ("https://ghe.x", ENTERPRISE, "theirs"),
        ("https://evilgithub.com", ENTERPRISE, "theirs"),
        ("https://github.com.evil", {"GITHUB_TOKEN": "public", "GH_TOKEN": "public"}, ""),
        ("https://ghe.x", {**ENTERPRISE, "GITHUB_SERVER_URL": "https://ghe.x/"}, "public"),
        ("https://ghe.x", {**ENTERPRISE, "GITHUB_SERVER_URL": "https://other.x"}, "theirs"),
        ("https://ghe.x", {**ENTERPRISE, "DISTIFY_PR_TOKEN": "mine"}, "mine"),
        ("https://github.com", {"DISTIFY_PR_TOKEN": "", "GH_TOKEN": " a\n"}, "a"),
        ("https://github.com", {}, ""),
    ],
)
def test_a_token_is_for_its_server(server: str, environment: dict[str, str], expected: str) -> None:
    assert access.token(server, environment) == expected


@pytest.mark.parametrize(
    "url", ["git@github.com:o/r", "/srv/r.git", "http://github.com/o/r", "https://evil.example/o/r"]
)
def test_no_other_server_gets_the_token(url: str) -> None:
    assert "GIT_CONFIG_COUNT" not in credentials([url], "secret", "https://github.com")


def test_git_gets_the_token_beside_what_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    env = credentials(["https://me:pw@github.com/o/r.git"], "secret", "https://github.com")
    assert env["GIT_CONFIG_COUNT"] == "10"
    helpers = [key for key, value in env.items() if value == "credential.helper"]
    assert env[helpers[0].replace("KEY", "VALUE")] == ""
    assert env["GIT_ALLOW_PROTOCOL"] == "http:https"
    place = "http.https://github.com/o/r.git"
    assert env["GIT_CONFIG_KEY_2"] == f"{place}.followRedirects"
    assert env["GIT_CONFIG_KEY_3"] == env["GIT_CONFIG_KEY_4"] == f"{place}.extraheader"
    assert env["GIT_CONFIG_VALUE_3"] == env["GIT_CONFIG_VALUE_5"] == env["GIT_ASKPASS"] == ""
    assert env["GIT_CONFIG_KEY_5"] == "credential.https://github.com/o/r.git.helper"
    assert "secret" not in "".join(env.values())
    assert without_secret("https://me:pw@h/o") == "https://h/o"
