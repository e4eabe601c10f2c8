"""Every kind of repository and file: the commits hold what `git add` and `git commit` would."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from distify.assistant.git import repository

from ..conftest import MIGRATED, TRAIN, Call
from .conftest import Git

SUBJECTS = [
    "distify(D101): import Horovod beside TensorFlow",
    "distify(D104): scale learning rates by the number of workers",
]


LONG_AGO = 1_600_000_000


def commit(call: Call, *options: str) -> None:
    answer = call("migrate", "--commit", *options)
    assert answer.exit_code == 0, answer.output
    assert "2 commits on" in answer.stdout


def clean(git: Git) -> bool:
    """Whether git sees no difference, even if it looks at every file again."""
    git("update-index", "-q", "--really-refresh", ok=False)
    return git("status", "--porcelain") == ""


def test_the_plain_case(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN, b_py="x = 1\n")
    commit(call, "a.py")
    assert git.subjects(f"{base}..") == SUBJECTS
    assert git.files() == {"a.py": MIGRATED.encode(), "b.py": b"x = 1\n"}
    assert git("diff-files", "--name-only") == ""  # without looking at the files again
    assert clean(git)
    assert git("fsck", "--strict") == ""
    assert git("log", "-1", "--format=%an <%ae> %aI|%cn") == (
        "Ada Müller <ada@example.org> 2026-01-02T03:04:05+00:00|Ada Müller"
    )
    assert git("reflog", "-1", "--format=%gs") == "distify migrate: 2 commits"


def test_a_new_branch_leaves_the_old_one(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN)
    commit(call, "--branch", "distify/migrate", "a.py")
    assert git("rev-parse", "main") == base
    assert git.subjects("main..distify/migrate") == SUBJECTS
    assert clean(git)
    git("checkout", "-q", "-")
    assert git("symbolic-ref", "--short", "HEAD") == "main"
    assert git.files() == {"a.py": TRAIN.encode()}


def test_other_work_stays_as_it_is_staged_or_not(git: Git, call: Call) -> None:
    base = git.commit(a_py=TRAIN, b_py="x = 1\n", c_py="x = 1\n", d_py="x = 1\n")
    git.write("b.py", "x = 2\n")
    git("add", "b.py")
    git.write("b.py", "x = 3\n")
    git.write("c.py", "x = 4\n")
    git("rm", "-q", "d.py")
    git.write("new.py", "x = 5\n")
    git("add", "-N", "new.py")
    git.write("untracked.py", "x = 6\n")
    before = git("status", "--porcelain")
    commit(call, "a.py")
    assert git("status", "--porcelain") == before
    assert git("show", ":b.py") == "x = 2"
    assert git("diff", "--name-only", base, "HEAD") == "a.py"


def test_in_a_subfolder(git: Git, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    git.write("src/deep/a.py", TRAIN)
    git.write("src/other/b.py", "x = 1\n")
    base = git.commit(c_py="x = 1\n")
    monkeypatch.chdir(git.folder / "src" / "deep")
    commit(call, "a.py")
    assert git("diff", "--name-only", base, "HEAD") == "src/deep/a.py"
    assert clean(git)
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base


NAMES = [
    "über straße/läuft schön.py",
    "-x.py",
    "--all.py",
    "a\nb.py",
    "*.py",
    ":(top)a.py",
    "a'\".py",
]


def test_any_name(git: Git, call: Call) -> None:
    for name in NAMES:
        git.write(name, TRAIN)
    base = git.commit()
    commit(call, ".")
    changed = git("diff", "-z", "--name-only", base, "HEAD").split("\0")
    assert sorted(filter(None, changed)) == sorted(NAMES)
    assert set(git.files().values()) == {MIGRATED.encode()}
    assert clean(git)
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base


def test_a_name_that_is_no_text(git: Git, call: Call) -> None:
    path = os.path.join(os.fsencode(git.folder), b"\xff.py")
    with open(path, "wb") as file:
        file.write(TRAIN.encode())
    git.commit()
    commit(call, ".")
    assert clean(git)


def test_modes_and_links_stay(git: Git, call: Call) -> None:
    git.write("real/a.py", TRAIN).chmod(0o755)
    (git.folder / "link.py").symlink_to("real/a.py")
    base = git.commit()
    commit(call, "link.py")
    assert (git.folder / "link.py").is_symlink()
    assert os.access(git.folder / "real" / "a.py", os.X_OK)
    assert git("diff", "--raw", "--abbrev=4", base, "HEAD").startswith(":100755 100755 ")
    assert clean(git)


CRLF = TRAIN.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("attributes", "settings", "text"),
    [  # git's settings, and what the work tree holds
        ("", {}, CRLF),
        ("* text=auto\n", {}, TRAIN),
        ("* text=auto\n", {}, CRLF),
        ("* text=auto eol=crlf\n", {}, CRLF),
        ("*.py text eol=crlf\n", {}, TRAIN),
        ("*.py text eol=lf\n", {}, CRLF),
        ("*.py -text\n", {}, CRLF),
        ("", {"core.autocrlf": "true"}, CRLF),
        ("", {"core.autocrlf": "input"}, CRLF),
        ("*.py ident\n", {}, "# $Id$\n" + TRAIN),
        (
            "*.py filter=upper\n",
            {"filter.upper.clean": "tr x X", "filter.upper.smudge": "tr X x"},
            TRAIN,
        ),
    ],
)
def test_line_ends_and_filters_are_those_of_git(
    git: Git, call: Call, attributes: str, settings: dict[str, str], text: str
) -> None:
    for key, value in settings.items():
        git("config", key, value)
    git.write(".gitattributes", attributes)
    base = git.commit(a_py=text)
    commit(call, "a.py")
    end = "\r\n" if "\r" in text else "\n"
    data = git.files()["a.py"]
    assert f"import horovod{end}".encode() in data
    assert data.count(b"\n") == data.count(end.encode())
    git.write("a.py", data)  # so that git has to look
    git("add", "a.py")
    assert git("diff", "--cached", "--name-only") == ""
    assert clean(git)
    assert call("undo").exit_code == 0
    assert git.files()["a.py"] == text.encode()
    assert git("rev-parse", "HEAD") == base
    assert clean(git)


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("hook", ["", "sed -i 's/0.1/1e-1/' in/a.py; git add -u"])
def test_attributes_that_only_the_index_has(git: Git, call: Call, sparse: bool, hook: str) -> None:
    """Outside of a sparse checkout, or deleted by somebody who has not staged that."""
    git.write(".gitattributes", "*.py text eol=crlf ident filter=loud\n")
    git("config", "filter.loud.clean", "sed s/LOUD/quiet/")
    git("config", "filter.loud.smudge", "sed s/quiet/LOUD/")
    git.write("in/a.py", f"# $Id$ LOUD\n{TRAIN}".replace("\n", "\r\n"))
    git.commit()
    if sparse:
        git("sparse-checkout", "set", "--no-cone", "/in/")
    else:
        (git.folder / ".gitattributes").unlink()
    if hook:
        git.write(".git/hooks/pre-commit", f"#!/bin/sh\n{hook}\n").chmod(0o755)
    before = git("status", "--porcelain")
    commit(call, ".")
    assert "\r" not in git("show", "HEAD:in/a.py")
    assert "# $Id$ quiet" in git("show", "HEAD:in/a.py")
    assert git.files()["in/a.py"].count(b"\r\n") == MIGRATED.count("\n") + 1
    assert b"LOUD" in git.files()["in/a.py"]
    assert git("status", "--porcelain") == before
    assert call("undo").exit_code == 0
    assert git("status", "--porcelain") == before


def test_crlf_that_was_committed_as_such_stays(git: Git, call: Call) -> None:
    """`text=auto` leaves a file alone whose index entry has CRLF; a new blob must not differ."""
    git.commit(a_py=CRLF)
    git.write(".gitattributes", "* text=auto\n")
    git.commit()
    assert git("show", "HEAD:a.py").count("\r\n") == 2  # the last one was stripped
    commit(call, "a.py")
    assert "\n" not in git("show", "HEAD:a.py").replace("\r\n", "")
    assert clean(git)


def test_a_linked_work_tree(git: Git, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    base = git.commit(a_py=TRAIN)
    git("worktree", "add", "-q", "../linked tree", "-b", "side")
    linked = Git(git.folder.parent / "linked tree")
    monkeypatch.chdir(linked.folder)
    commit(call, "a.py")
    assert linked.subjects(f"{base}..side") == SUBJECTS
    assert git("rev-parse", "main") == base
    assert git.files() == {"a.py": TRAIN.encode()}
    assert clean(git)
    assert clean(linked)
    assert call("undo").exit_code == 0
    assert linked("rev-parse", "side") == base


def test_a_submodule(git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Git(tmp_path / "library")
    library.folder.mkdir()
    library("init", "-q", "-b", "main")
    for key in ("user.name", "user.email"):
        library("config", key, "x@y")
    library.commit(a_py=TRAIN)
    git.commit(b_py="x = 1\n")
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.folder), "lib")
    git.commit()
    inner = Git(git.folder / "lib")
    for key in ("user.name", "user.email"):
        inner("config", key, "x@y")
    monkeypatch.chdir(inner.folder)
    commit(call, "a.py")
    assert inner.subjects("origin/main..main") == SUBJECTS
    assert clean(inner)
    assert git("status", "--porcelain") == "M lib" or git("status", "--porcelain") == " M lib"
    assert call("undo").exit_code == 0
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
def test_a_sparse_checkout(git: Git, call: Call, cone: str) -> None:
    for folder in ("in", "out"):
        git.write(f"{folder}/a.py", TRAIN)
    base = git.commit(c_py="x = 1\n")
    git("sparse-checkout", "set", cone, "in")
    commit(call, ".")
    assert git("diff", "--name-only", base, "HEAD") == "in/a.py"
    assert not (git.folder / "out").exists()
    assert clean(git)
    assert git("show", "HEAD:out/a.py") == TRAIN.rstrip("\n")
    assert call("undo").exit_code == 0
    assert not (git.folder / "out").exists()
    assert clean(git)


def test_a_file_outside_of_the_cone_that_is_there_anyway(git: Git, call: Call) -> None:
    for folder in ("in", "out"):
        git.write(f"{folder}/a.py", TRAIN)
    base = git.commit()
    git("sparse-checkout", "set", "--cone", "in")
    git.write("out/a.py", TRAIN)
    commit(call, "out/a.py")
    assert git("diff", "--name-only", base, "HEAD") == "out/a.py"
    assert git("status", "--porcelain") == ""


@pytest.mark.parametrize("settings", [["--object-format=sha256"], ["--separate-git-dir=../apart"]])
def test_other_ways_to_store(here: Path, call: Call, settings: list[str]) -> None:
    git = Git(here)
    git("init", "-q", "-b", "main", *settings)
    git("config", "user.name", "x")
    git("config", "user.email", "x@y")
    git.commit(a_py=TRAIN)
    commit(call, "a.py")
    assert clean(git)
    assert call("undo").exit_code == 0
    assert clean(git)


def test_packed_branches_and_a_split_index(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    git("update-index", "--split-index")
    git("pack-refs", "--all")
    git("gc", "-q")
    commit(call, "--branch", "x", "a.py")
    assert clean(git)
    assert call("undo").exit_code == 0
    assert git("for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert clean(git)


def test_a_surrounding_hook_does_not_leak_in(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.commit(a_py=TRAIN)
    other = Git(tmp_path / "other")
    other.folder.mkdir()
    other("init", "-q", "-b", "main")
    leaking = {
        "GIT_DIR": str(other.folder / ".git"),
        "GIT_WORK_TREE": str(other.folder),
        "GIT_INDEX_FILE": str(other.folder / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other.folder / ".git" / "objects"),
        "GIT_PREFIX": "x/",
        "GIT_NAMESPACE": "y",
        "GIT_ICASE_PATHSPECS": "1",
        "GIT_REFLOG_ACTION": "z",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    }
    with monkeypatch.context() as inside:
        for name, value in leaking.items():
            inside.setenv(name, value)
        commit(call, "a.py")
        assert {name: os.environ[name] for name in leaking} == leaking
    assert git.subjects()[1:] == SUBJECTS
    assert clean(git)
    assert other("for-each-ref") == ""


def test_the_usual_environment_counts(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.commit(a_py=TRAIN)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Author")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "bot@example.org")
    commit(call, "a.py")
    assert git("log", "-1", "--format=%an %ae %cn %ce") == (
        "Author ada@example.org Ada Müller bot@example.org"
    )


def test_settings_of_the_environment_count(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.commit(a_py=TRAIN)
    git("config", "--unset", "user.name")
    (tmp_path / "settings").write_text("[user]\nname = Named elsewhere\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    commit(call, "a.py")
    assert git("log", "-1", "--format=%an") == "Named elsewhere"


def test_the_author_of_a_surrounding_commit_is_not_ours(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`git commit` tells its hooks whose commit they are about; an amended one may be anybody's."""
    script = '#!/bin/sh\nenv -0 | grep -z ^GIT_ > "$(git rev-parse --git-dir)/told"\n'
    git.commit(a_py=TRAIN)
    path = git.write(".git/hooks/post-commit", script)
    path.chmod(0o755)
    git("commit", "-q", "--amend", "-m", "theirs", "--author=Eve <eve@x>", "--date=2001-01-01")
    path.unlink()
    told = (git.folder / ".git" / "told").read_text().split("\0")
    with monkeypatch.context() as inside:
        for variable in filter(None, told):
            inside.setenv(*variable.split("=", 1))
        commit(call, "a.py")
    assert git("log", "-1", "--format=%an") == "Ada Müller"
    assert git("log", "-1", "--format=%ad", "--date=format:%Y") != "2001"
    assert git("log", "-1", "--format=%an", "HEAD~2") == "Eve"


def test_the_index_keeps_what_git_is_not_sure_of(git: Git, call: Call) -> None:
    """A file that was changed right after it was staged, to the same size, still shows."""
    git.commit(a_py=TRAIN, b_py="x = 1\n")
    git("config", "core.trustctime", "false")
    path = git.folder / "b.py"
    path.write_text("x = 2\n")
    os.utime(path, (LONG_AGO, LONG_AGO))
    git("add", "b.py")
    path.write_text("x = 3\n")
    # All in one second: only the time of the index itself tells git to look into the file.
    for each in (path, git.folder / ".git" / "index"):
        os.utime(each, (LONG_AGO, LONG_AGO))
    commit(call, "a.py")
    assert git("status", "--porcelain") == "MM b.py"


def test_more_files_than_a_command_line_takes(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "CHUNK", 2)
    git.commit(a_py=TRAIN, b_py=TRAIN, c_py=TRAIN, d_py=TRAIN, e_py=TRAIN)
    commit(call, ".")
    assert set(git.files().values()) == {MIGRATED.encode()}
    assert clean(git)
    assert call("undo").exit_code == 0
    assert clean(git)


def test_a_partial_clone_stays_one(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing beside the file is not fetched: its server may be out of reach."""
    git.commit(a_py=TRAIN, b_py="x = 1\n")
    git("config", "uploadpack.allowFilter", "true")
    part = Git(tmp_path / "part")
    options = ("--filter=blob:none", "--no-checkout")
    git("clone", "-q", *options, f"file://{git.folder}", str(part.folder))
    for key in ("user.name", "user.email"):
        part("config", key, "x@y")
    part("sparse-checkout", "set", "--no-cone", "/a.py")
    part("checkout", "-q", "main")
    part("config", "remote.origin.url", str(tmp_path / "gone"))
    monkeypatch.chdir(part.folder)
    commit(call, "a.py")
    assert part.subjects("origin/main..") == SUBJECTS


def test_a_monitor_of_files_that_eats_what_git_is_told(git: Git, call: Call) -> None:
    """It inherits git's standard input, on which the paths are."""
    git.commit(train_py=TRAIN)
    monitor = git.write("../monitor", "#!/bin/sh\ncat > /dev/null\nexit 1\n")
    monitor.chmod(0o755)
    git("config", "core.fsmonitor", str(monitor))
    answer = call("migrate", "--commit")
    assert answer.exit_code == 0, answer.output
    git("config", "--unset", "core.fsmonitor")
    assert git("status", "--porcelain") == ""
    assert git("log", "--format=%s").count("distify(") == 2
