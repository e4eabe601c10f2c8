"""The user's hooks and signatures count, as they do for `git commit`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from distify.assistant.git.hooks import has_hooks
from distify.assistant.git.repository import find
from distify.assistant.report.terminal import Activity

from ..conftest import MIGRATED, TRAIN, Call
from .conftest import Git
from .test_kinds import SUBJECTS, clean, commit


def hook(git: Git, name: str, script: str) -> Path:
    path = git.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def undisturbed(git: Git, call: Call, *options: str) -> str:
    """What is said where the commit must fail and change nothing."""
    before = git.state()
    answer = call("migrate", "--commit", *options, "a.py")
    assert answer.exit_code == 2, answer.output
    assert git.state() == before
    return answer.stderr


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg", "prepare-commit-msg"])
def test_a_hook_can_refuse(git: Git, call: Call, name: str) -> None:
    git.commit(a_py=TRAIN)
    hook(git, name, "echo not like this >&2; exit 1")
    said = undisturbed(git, call)
    assert "not like this" in said
    assert SUBJECTS[0] in said


def test_what_a_hook_indents_is_indented(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "printf 'wrong:\\n\\ta.py\\n' >&2; exit 1")
    assert "wrong:\n        a.py\n" in undisturbed(git, call)


def test_who_waits_for_hooks_is_told_for_which(
    git: Git, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(Activity, "__call__", lambda _, text: told.append(text))
    git.commit(a_py=TRAIN, b_py=TRAIN)
    commit(call, "a.py")
    assert told == []
    hook(git, "pre-commit", "exit 0")
    commit(call, "b.py")
    number = len(SUBJECTS)
    each = [f"commit {n} of {number}, with your hooks: {s}" for n, s in enumerate(SUBJECTS, 1)]
    assert told == ["checking out all files for your hooks", *each]


@pytest.mark.parametrize(
    ("name", "bypassed"),
    [("pre-commit", True), ("commit-msg", True), ("prepare-commit-msg", False)],
)
def test_no_verify_is_that_of_git(git: Git, call: Call, name: str, bypassed: bool) -> None:
    git.commit(a_py=TRAIN)
    hook(git, name, "exit 1")
    if bypassed:
        commit(call, "--no-verify", "a.py")
        assert clean(git)
    else:
        undisturbed(git, call, "--no-verify")


def test_a_refusal_in_the_middle_leaves_no_commit(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "commit-msg", "! grep -q D104 $1")
    assert SUBJECTS[1] in undisturbed(git, call)


def test_the_hook_sees_what_is_committed(git: Git, call: Call, tmp_path: Path) -> None:
    """In the work tree and in the index, beside all other files; a hook runs once per commit."""
    git.write(".gitignore", "venv/\nlog\n")
    git.write("venv/tool", "#!/bin/sh\necho tool\n").chmod(0o755)
    git.commit(a_py=TRAIN, other_py="x = 1\n")
    log = tmp_path / "log"
    hook(
        git,
        "pre-commit",
        f"{{ cat a.py; git show :a.py; cat other.py; venv/tool; git add -A; }} >> {log}",
    )
    commit(call, "a.py")
    first = TRAIN.replace("as tf\n", "as tf\nimport horovod\n")
    other = "x = 1\ntool\n"
    assert log.read_text() == first * 2 + other + MIGRATED * 2 + other
    assert git("show", "--format=", "--name-only", "HEAD") == "a.py"
    assert clean(git)


def test_a_hook_that_formats_is_followed(git: Git, call: Call) -> None:
    """What it stages is committed, and the work tree gets it, too."""
    git.commit(a_py=TRAIN, notes_txt="1\n")
    git.write("notes.txt", "1\n")
    git.commit()
    hook(git, "pre-commit", "sed -i 's/0.1/1e-1/' a.py; echo more >> notes.txt; git add -u")
    commit(call, "a.py")
    assert git.files()["a.py"] == MIGRATED.replace("0.1", "1e-1").encode()
    assert git.files()["notes.txt"] == b"1\nmore\nmore\n"
    assert clean(git)
    assert call("undo").exit_code == 0
    assert git.files()["notes.txt"] == b"1\n"
    assert git.files()["a.py"] == TRAIN.encode()
    assert clean(git)


def test_a_hook_that_changes_a_file_somebody_works_on(git: Git, call: Call) -> None:
    git.write("notes.txt", "1\n")
    git.commit(a_py=TRAIN)
    git.write("notes.txt", "mine\n")
    hook(git, "pre-commit", "echo more >> notes.txt; git add notes.txt")
    assert "notes.txt has uncommitted changes" in undisturbed(git, call)


def test_a_hook_that_adds_a_file(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "echo x > new.txt; git add new.txt")
    assert "new.txt: try --no-verify" in undisturbed(git, call)


def test_a_message_can_be_amended(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "prepare-commit-msg", 'echo "Ticket: 42" >> "$1"')
    commit(call, "a.py")
    trailers = git("log", "-1", "--format=%(trailers:key=Ticket,valueonly)")
    assert trailers == "42"
    assert git("log", "-1", "--format=%(trailers:key=Distify-Rule,valueonly)") == "D104"


def test_hooks_elsewhere(git: Git, call: Call, tmp_path: Path) -> None:
    """A relative core.hooksPath (husky has one) is one of the user's own work tree."""
    git.commit(a_py=TRAIN)
    git.write(".husky/_/pre-commit", f"#!/bin/sh\necho ran >> {tmp_path}/log\n").chmod(0o755)
    git.write(".husky/_/.gitignore", "*\n")
    git("config", "core.hooksPath", ".husky/_")
    commit(call, "a.py")
    assert (tmp_path / "log").read_text() == "ran\n" * 2


@pytest.mark.parametrize("path", ["-x", "$(touch x)", "no such folder", "a\nb"])
def test_a_strange_path_of_hooks_is_a_path(git: Git, call: Call, path: str) -> None:
    git.commit(a_py=TRAIN)
    git("config", "core.hooksPath", path)
    commit(call, "a.py")
    assert sorted(git.files()) == ["a.py"]


def test_hooks_about_checkouts_have_nothing_to_tell(git: Git, call: Call, tmp_path: Path) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "exit 0")
    hook(git, "post-checkout", f"touch {tmp_path}/ran")
    commit(call, "a.py")
    assert not (tmp_path / "ran").exists()


def test_a_hook_that_is_switched_off_does_not_run(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "exit 1").chmod(0o644)
    commit(call, "a.py")


def test_hooks_in_a_linked_tree_with_a_sparse_checkout(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("in", "out"):
        git.write(f"{folder}/a.py", TRAIN)
    git.commit()
    git("worktree", "add", "-q", "../side", "-b", "side")
    side = Git(git.folder.parent / "side")
    side("sparse-checkout", "set", "in")
    hook(git, "pre-commit", f"ls > {tmp_path}/log")
    monkeypatch.chdir(side.folder)
    commit(call, "in/a.py")
    assert (tmp_path / "log").read_text() == "in\n"
    assert clean(side)
    assert git("worktree", "list").count("\n") == 1


@pytest.mark.parametrize("hooked", [False, True])
def test_commits_are_signed_where_the_settings_say_so(
    git: Git, call: Call, tmp_path: Path, hooked: bool
) -> None:
    """With a key of ssh, so that no agent is needed."""
    if shutil.which("ssh-keygen") is None:
        program = git.write(
            "../sign",
            "#!/bin/sh\ncat >/dev/null; echo '[GNUPG:] SIG_CREATED ' >&2\n"
            "echo '-----BEGIN PGP SIGNATURE-----'\n",
        )
        program.chmod(0o755)
        git("config", "gpg.program", str(program))
    else:
        key = tmp_path / "key"
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
        subprocess.run(make, check=True)
        git("config", "gpg.format", "ssh")
        git("config", "user.signingKey", f"{key}.pub")
    if hooked:
        hook(git, "pre-commit", "exit 0")
    base = git.commit(a_py=TRAIN)
    git("config", "commit.gpgSign", "true")
    commit(call, "a.py")
    for made in git("rev-list", f"{base}..").split():
        assert "\ngpgsig " in git("cat-file", "commit", made)


def test_settings_for_one_repository_count_where_hooks_run(
    git: Git, call: Call, tmp_path: Path
) -> None:
    """The condition names git's folder, as the manual of git does; hooks run with another one."""
    git.commit(a_py=TRAIN)
    git("config", "--remove-section", "user")
    (tmp_path / "work").write_text(
        "[user]\nname = At Work\nemail = work@example.org\n"
        f"[commit]\ngpgSign\n[gpg]\nprogram = {tmp_path}/sign\n"
    )
    git("config", "--global", "user.name", "At Home")
    git("config", "--global", "user.email", "home@example.org")
    git("config", "--global", f"includeIf.gitdir:{git.folder}/.git.path", str(tmp_path / "work"))
    words = "echo '[GNUPG:] SIG_CREATED ' >&2; echo '-----BEGIN PGP SIGNATURE-----'"
    git.write("../sign", f"#!/bin/sh\ncat > /dev/null; {words}\n").chmod(0o755)
    hook(git, "pre-commit", "exit 0")
    commit(call, "a.py")
    assert git("log", "-1", "--format=%an %ae %cn %ce") == " ".join(
        ["At Work work@example.org"] * 2
    )
    assert "\ngpgsig " in git("cat-file", "commit", "HEAD")


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="makes the key")
def test_the_path_of_a_key_counts_from_the_top(git: Git, call: Call) -> None:
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(git.folder / ".git" / "key")]
    subprocess.run(make, check=True)
    git("config", "gpg.format", "ssh")
    git("config", "user.signingKey", ".git/key.pub")
    git.commit(a_py=TRAIN)
    git("config", "commit.gpgSign", "true")
    hook(git, "pre-commit", "exit 0")
    commit(call, "a.py")
    assert "BEGIN SSH SIGNATURE" in git("cat-file", "commit", "HEAD")


def test_a_key_that_is_not_there(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    git("config", "gpg.program", "/no/such/program")
    git("config", "commit.gpgSign", "true")
    assert "/no/such/program" in undisturbed(git, call)


def test_hooks_where_git_goes_into_submodules(git: Git, call: Call, tmp_path: Path) -> None:
    """The temporary work tree has none, whatever submodule.recurse says."""
    library = Git(tmp_path / "library")
    library.folder.mkdir()
    library("init", "-q")
    git.commit(a_py=TRAIN)
    for key, value in (("user.name", "x"), ("user.email", "x@y")):
        library("config", key, value)
    library.commit(b_py="x = 1\n")
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.folder), "lib")
    git.commit()
    git("config", "submodule.recurse", "true")
    hook(git, "pre-commit", "exit 0")
    commit(call, "a.py")
    assert clean(git)


def test_what_a_hook_leaves_running_is_not_waited_for(git: Git, call: Call, tmp_path: Path) -> None:
    """Git does not wait for it, either, though it could still write to the terminal."""
    git.commit(a_py=TRAIN)
    hook(git, "post-commit", f"sleep 600 & echo $! >> {tmp_path}/left")
    commit(call, "a.py")
    left = (tmp_path / "left").read_text().split()
    for process in left:
        os.kill(int(process), signal.SIGKILL)  # fails if it has ended
    assert len(left) == 2


def test_last_words_of_a_hook_are_told_though_something_is_left_running(
    git: Git, call: Call, tmp_path: Path
) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", f"sleep 600 & echo $! > {tmp_path}/left; echo not so >&2; exit 1")
    assert "not so" in undisturbed(git, call)
    os.kill(int((tmp_path / "left").read_text()), signal.SIGKILL)  # fails if it has ended


def test_the_own_hooks_of_distify_let_a_series_pass(
    git: Git, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would take its first commits for scripts that are still to be migrated."""
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", f'echo "$SKIP" >> {tmp_path}/log')
    monkeypatch.setenv("SKIP", "slow")
    commit(call, "a.py")
    assert (tmp_path / "log").read_text() == "slow,distify,distify-fix\n" * 2


@pytest.mark.parametrize(("options", "branch"), [([], "main"), (["--branch", "a/b"], "a/b")])
def test_hooks_see_the_branch_that_the_series_is_for(
    git: Git, call: Call, tmp_path: Path, options: list[str], branch: str
) -> None:
    """Some guard one, others put its name into the message; it moves for nobody else meanwhile."""
    git.commit(a_py=TRAIN)
    git("tag", "v1")
    git("pack-refs", "--all")
    base = git.commit(b_py="x = 1\n")
    others = f"unset GIT_DIR GIT_INDEX_FILE; git -C {git.folder} rev-parse main"
    seen = f"git symbolic-ref --short HEAD; git describe --tags; {others}"
    hook(git, "post-commit", f"{{ {seen}; }} >> {tmp_path}/log")
    hook(git, "pre-commit", f'test "$(git rev-parse --abbrev-ref HEAD)" = {branch}')
    commit(call, *options, "a.py")
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[::3] == [branch] * 2
    assert [line.split("-")[:2] for line in lines[1::3]] == [["v1", "2"], ["v1", "3"]]
    assert set(lines[2::3]) == {base}
    assert git.subjects("HEAD~2..") == SUBJECTS
    assert clean(git)
    assert call("undo").exit_code == 0
    assert git("rev-parse", "HEAD") == base


def test_a_hook_can_guard_a_branch(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", 'test "$(git symbolic-ref --short HEAD)" != main')
    assert "neither git nor a hook said why" in undisturbed(git, call)
    commit(call, "--branch", "x", "a.py")


def test_what_a_refusing_hook_did_to_references_is_undone(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    hook(git, "commit-msg", "git tag t && git branch b && git branch -f main HEAD; exit 1")
    undisturbed(git, call)


@pytest.mark.parametrize("clear", ["git gc -q --prune=now", "git prune", "git repack -adq"])
def test_a_hook_that_clears_up_keeps_what_is_staged_or_stashed(
    git: Git, call: Call, clear: str
) -> None:
    git.write("notes.txt", "1\n")
    git.commit(a_py=TRAIN)
    for text in ("first\n", "second\n"):
        git.write("notes.txt", text)
        git("stash")
    git("gc", "-q")
    git.write("notes.txt", "staged\n")
    git("add", "notes.txt")
    hook(git, "post-commit", clear)
    commit(call, "a.py")
    assert git("show", ":notes.txt") == "staged"
    assert git("show", "stash@{1}:notes.txt") == "first"
    assert git("fsck") == ""


def test_settings_count_where_hooks_run(git: Git, call: Call) -> None:
    """Also those of a file that is named from .git/config, and those of one branch."""
    for key in ("user.name", "user.email"):
        git("config", "--unset", key)
    git.write(".gitconfig", "[user]\nname = Included\n")
    git.write(".git/only main", "[user]\nemail = main@x\n")
    git("config", "include.path", "../.gitconfig")
    git("config", "includeIf.onbranch:main.path", "only main")
    git.commit(a_py=TRAIN)
    hook(git, "pre-commit", "exit 0")
    commit(call, "a.py")
    assert git("log", "-1", "--format=%an %ae") == "Included main@x"


def test_no_verify_holds_beside_hooks_that_run_anyway(git: Git, call: Call) -> None:
    git.commit(a_py=TRAIN)
    for name in ("pre-commit", "commit-msg"):
        hook(git, name, "exit 1")
    hook(git, "prepare-commit-msg", 'echo "Ticket: 42" >> "$1"')
    commit(call, "--no-verify", "a.py")
    assert git("log", "-1", "--format=%(trailers:key=Ticket,valueonly)") == "42"


def test_hooks_of_the_settings_count(git: Git, call: Call) -> None:
    """Newer versions of git know them; `git commit` is then asked to run them."""
    git.commit(a_py=TRAIN)
    assert not has_hooks(find(str(git.folder)), verify=True)
    git("config", "hook.mine.command", "true")
    assert has_hooks(find(str(git.folder)), verify=True)
