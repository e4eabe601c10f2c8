"""The commands: exit codes, streams, bad input, promises 5 and 7."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.codemods.model import Migration, Options, UnsoundResult

from ..conftest import ALREADY, BLOCKED, BROKEN, MIGRATED, NO_LOOP, TRAIN, Call


def write(**files: str) -> None:
    for name, text in files.items():
        Path(f"{name}.py").write_text(text)


def texts() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


EXIT_CODES = [
    # files, migrate, migrate --diff and --check and check
    ({"train": TRAIN}, 0, 1),
    ({"blocked": BLOCKED}, 1, 1),
    ({"train": TRAIN, "blocked": BLOCKED}, 1, 1),
    ({"already": ALREADY}, 0, 0),
    ({"no_loop": NO_LOOP}, 0, 0),
    ({"other": "x = 1\n"}, 0, 0),
    ({}, 0, 0),
    ({"broken": BROKEN}, 2, 2),
    ({"train": TRAIN, "broken": BROKEN, "blocked": BLOCKED}, 2, 2),
    ({"other": "x = (\n"}, 0, 0),  # says nothing of TensorFlow: not ours to parse
]


@pytest.mark.parametrize(("files", "code", "dry_code"), EXIT_CODES)
@pytest.mark.parametrize("form", ["text", "json"])
def test_exit_codes(call: Call, files: dict[str, str], code: int, dry_code: int, form: str) -> None:
    write(**files)
    before = texts()
    for command in (["migrate", "--check"], ["migrate", "--diff"], ["check"]):
        assert call(*command, "--format", form).exit_code == dry_code
        assert texts() == before
    assert call("migrate", "--format", form).exit_code == code


@pytest.mark.parametrize(
    "arguments",
    [
        ["migrate", "gone.py"],
        ["migrate", "--select", "D140"],
        ["check", "--ignore", "nothing"],
        ["migrate", "--format", "xml"],
        ["migrate", "-", "train.py"],
        ["migrate", "-", "--format", "json"],
        ["migrat"],
        ["explain"],
        ["explain", "D999"],
        ["--nonsense"],
    ],
)
def test_bad_usage_is_an_error(call: Call, arguments: list[str]) -> None:
    write(train=TRAIN)
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stderr
    assert texts() == {"train.py": TRAIN.encode()}


def test_near_misses_are_named(call: Call) -> None:
    assert "did you mean migrate?" in call("migrat").stderr
    assert "did you mean D104?" in call("check", "--select", "D140").stderr
    assert "did you mean D104?" in call("explain", "D140").stderr


def test_migrate_rewrites_in_place_and_tells(call: Call) -> None:
    write(train=TRAIN, blocked=BLOCKED, already=ALREADY, other="x = 1\n")
    result = call("migrate")
    assert texts()["train.py"] == MIGRATED.encode()
    assert texts()["blocked.py"] == BLOCKED.encode()
    assert result.stderr == ""
    assert result.stdout == (
        "blocked.py  blocked, left as it was\n"
        "  trains with Keras: model.fit(...) at line 3\n"
        "  blocked R20 line 2: runs under tf.distribute\n"
        "    2 | with strategy.scope():\n"
        "      |      ^\n"
        "    fix: remove the strategy\n"
        "\n"
        "train.py  rewritten\n"
        "  trains with Keras: model.fit(...) at line 3\n"
        "  D101  import-horovod       line 1\n"
        "  D104  scale-learning-rate  line 2\n"
        "\n"
        "1 file rewritten, 1 blocked, 1 left alone (already Horovod); 4 files searched.\n"
        "Written for TensorFlow 2.15: a guess, as no requirement, setting or environment "
        "says one; --tensorflow does.\n"
        "\n"
        "With N workers\n"
        "  batch  a step takes N batches, one on each worker at a time\n"
        "  rate   N times that of one worker\n"
        "  steps  as many as before in each epoch: every worker makes all of them\n"
        "\n"
        "Read why:  distify explain R20\n"
        "Prove it:  distify verify train.py -np 2\n"
        "Train:     horovodrun -np 2 python train.py\n"
        "Elsewhere: distify launch-lines train.py -np 8 --gpus-per-node 4"
        "  # Slurm, MPI, Kubernetes, Ray\n"
    )


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["check"], "Apply it:  distify migrate"),
        (["check", "a b"], "Apply it:  distify migrate 'a b'"),
        (
            ["check", "--select", "d1", "--ignore", "D203, D2", "--ignore", "D104", "--", "-x.py"],
            "Apply it:  distify migrate --select d1 --ignore 'D203, D2' --ignore D104 ./-x.py",
        ),
        (["migrate", "a b/$x.py"], "Train:     horovodrun -np 2 python 'a b/$x.py'"),
        (["migrate", "--", "-x.py"], "Train:     horovodrun -np 2 python ./-x.py"),
    ],
)
def test_the_command_to_try_can_be_pasted(call: Call, arguments: list[str], command: str) -> None:
    Path("a b").mkdir()
    write(**{"a b/$x": TRAIN, "-x": TRAIN})
    lines = call(*arguments).stdout.splitlines()
    assert command in [line.partition("  #")[0] for line in lines]


def test_what_the_settings_choose_needs_no_repetition(call: Call) -> None:
    write(train=TRAIN)
    Path("pyproject.toml").write_text('[tool.distify]\nselect = ["D1"]\nignore = ["D104"]\n')
    assert "\nApply it:  distify migrate train.py  #" in call("check", "train.py").stdout


def test_migrate_names_the_proof_as_the_next_step(call: Call) -> None:
    write(**{"$x": TRAIN})
    proof = "Prove it:  distify verify '$x.py' -np 2"
    assert proof in call("migrate", "$x.py").stdout.splitlines()
    assert "distify verify" not in call("migrate", "--check", "-q", ".").output


def test_notes_are_told_where_nothing_is_in_the_way(call: Call) -> None:
    write(train=TRAIN + "# noted\n", blocked=BLOCKED)
    output = call("check").stdout
    assert output.count("  note D107 line 1: every worker trains on all of it\n") == 1
    assert call("check", "-v").stdout.count("note D107") == 2


def test_verbose_tells_about_every_file_looked_at(call: Call) -> None:
    write(already=ALREADY, other="x = 1\n")
    assert "already.py" not in call("migrate").stdout
    assert "already.py  left as it was: already Horovod" in call("migrate", "-v").stdout


def test_verbose_tells_why_files_without_training_are_left(call: Call) -> None:
    write(already=ALREADY, b=TRAIN, a="x = 1\n", z="import tensorflow as tf\n")
    short = call("check", "--format", "json").stdout
    assert call("check", "-v", "--format", "json").stdout == short
    told = call("migrate", "-v").stdout
    names = [line.split("  ")[0] for line in told.splitlines() if re.match(r"\w+\.py  ", line)]
    assert names == ["a.py", "already.py", "b.py", "z.py"]
    why = "left as it was: no mention of training with TensorFlow or Keras"
    assert (f"a.py  {why}\n" in told, f"z.py  {why}\n" in told) == (True, True)
    assert "1 file rewritten, 1 left alone (already Horovod); 4 files searched." in told
    assert "a.py" not in call("check").stdout


def test_a_second_run_changes_nothing(call: Call) -> None:
    write(train=TRAIN)
    call("migrate")
    again = call("migrate")
    assert again.exit_code == 0
    assert texts()["train.py"] == MIGRATED.encode()
    assert "1 left alone (already Horovod); 1 file searched." in again.stdout


def test_quiet_tells_only_what_is_blocked_or_failed(call: Call) -> None:
    write(train=TRAIN)
    assert call("migrate", "-q").output == ""
    write(blocked=BLOCKED)
    result = call("migrate", "-q")
    assert result.stdout == ""
    assert result.stderr == "blocked.py:2:6: R20 runs under tf.distribute\n"


def test_select_and_ignore(call: Call) -> None:
    write(train=TRAIN)
    assert b"import horovod" not in texts()["train.py"]
    call("migrate", "--select", "D104")
    assert texts()["train.py"] == TRAIN.replace("(0.1)", "(0.1 * hvd.size())").encode()
    write(train=TRAIN)
    call("migrate", "--ignore", "D2,scale-learning-rate")
    assert texts()["train.py"] == TRAIN.replace("tf\n", "tf\nimport horovod\n").encode()


def test_a_diff_that_git_applies(call: Call, here: Path) -> None:
    cases = {
        "train.py": TRAIN.encode(),
        "crlf file.py": TRAIN.replace("\n", "\r\n").replace("as tf\r\n", "as tf\n").encode(),
        "no_end.py": TRAIN.rstrip("\n").encode(),
        "latin.py": ("# coding: latin-1\n# é\n" + TRAIN).encode("latin-1"),
        'quo"te.py': TRAIN.encode(),
    }
    for name, data in cases.items():
        Path(name).write_bytes(data)
    result = call("migrate", "--diff")
    assert "\x1b" not in result.stdout
    assert texts() == cases
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=here, check=True)
    applied = texts()
    for name, data in cases.items():
        Path(name).write_bytes(data)
    call("migrate")
    assert texts() == applied != cases


def test_the_diff_has_standard_output_to_itself(call: Call) -> None:
    write(train=TRAIN, blocked=BLOCKED)
    result = call("migrate", "--diff")
    head = "--- a/train.py\n+++ b/train.py\n@@ -1,3 +1,4 @@"
    assert result.stdout.startswith(f"{head} D101 import-horovod, D104 scale-learning-rate\n")
    assert call("migrate", "--diff", "-q").stdout.startswith(f"{head}\n")
    assert result.stdout.endswith(" model.fit(x)\n")
    assert "would be rewritten" in result.stderr


def test_a_hunk_of_one_rule_says_why_in_a_sentence(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where git puts the name of a function: it is applied all the same."""
    monkeypatch.undo()  # the real engine, in this folder
    monkeypatch.chdir(here)
    space = "#\n" * 20
    write(
        train=f"""import tensorflow as tf
{space}
opt = tf.keras.optimizers.SGD(0.1)
{space}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=opt, loss="mse")
model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))
"""
    )
    result = call("migrate", "--diff")
    told = [line.split("@@ ")[-1] for line in result.stdout.splitlines() if line[:2] == "@@"]
    assert told[0] == "D101 import-horovod, D102 init-horovod"
    assert told[-1] == (
        "D302: Give fit the callbacks of Horovod; let only rank 0 write files and progress bars."
    )
    subprocess.run(["git", "apply", "-"], input=result.stdout_bytes, cwd=here, check=True)
    assert "hvd.size()" in Path("train.py").read_text()


@pytest.mark.parametrize("arguments", [["--color", "always"], []])
def test_colors_only_where_they_are_wanted(call: Call, arguments: list[str]) -> None:
    write(train=TRAIN, blocked=BLOCKED)
    for command in (["migrate", "--diff"], ["check"], ["migrate"]):
        assert ("\x1b[" in call(*command, *arguments).output) is bool(arguments)


def test_the_environment_decides_about_colors(call: Call) -> None:
    write(train=TRAIN)
    assert "\x1b[" in call("check", FORCE_COLOR="1").output
    assert "\x1b[" not in call("check", FORCE_COLOR="1", NO_COLOR="1").output


def test_standard_input(call: Call) -> None:
    result = call("migrate", "-", stdin=TRAIN.replace("\n", "\r\n").encode("utf-8-sig"))
    assert result.exit_code == 0
    assert result.stdout_bytes.startswith(b"\xef\xbb\xbfimport tensorflow as tf\r\nopt")
    assert b"hvd.size()" in result.stdout_bytes
    assert "<stdin>  rewritten" in result.stderr
    assert "horovodrun" not in result.stderr


@pytest.mark.parametrize(
    ("text", "code"), [(BLOCKED, 1), (ALREADY, 0), ("x = 1\r\n", 0), (BROKEN, 2)]
)
def test_a_filter_loses_nothing(call: Call, text: str, code: int) -> None:
    result = call("migrate", "-", stdin=text.encode())
    assert (result.exit_code, result.stdout_bytes) == (code, text.encode())
    assert result.stderr


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_a_dry_filter(call: Call, option: str) -> None:
    result = call("migrate", option, "-", stdin=TRAIN.encode())
    assert result.exit_code == 1
    assert ("hvd.size()" in result.stdout) is (option == "--diff")
    assert call("check", "-", stdin=TRAIN.encode()).exit_code == 1


def test_each_bad_input_gets_one_clear_line_and_the_others_are_migrated(call: Call) -> None:
    bad = {
        "bad/broken.py": BROKEN.encode(),
        "bad/latin.py": TRAIN.encode() + b"# \xe9\n",
        "bad/cookie.py": b"# coding: klingon\n" + TRAIN.encode(),
        "bad/null.py": TRAIN.encode() + b"\0",
        "bad/utf16.py": TRAIN.encode("utf-16"),
        "bad/deep.py": (TRAIN + "x = " + "(" * 3000 + ")" * 3000 + "\n").encode(),
        "bad/minus.py": (TRAIN + "x = " + "-" * 100_000 + "1\n").encode(),
    }
    Path("bad").mkdir()
    for name, data in bad.items():
        Path(name).write_bytes(data)
    Path("folder.py").mkdir()
    os.mkfifo("bad/fifo.py")
    os.symlink("loop.py", "bad/loop.py")
    write(train=TRAIN)
    result = call("migrate", ".", "gone.py")
    assert result.exit_code == 2
    assert texts() == {**bad, "train.py": MIGRATED.encode()}
    lines = result.stderr.splitlines()
    named = sorted(line.partition(": ")[0].partition(":")[0] for line in lines)
    assert named == sorted([*bad, "bad/fifo.py", "bad/loop.py", "gone.py"])
    assert all(": error: " in line and "Traceback" not in line for line in lines)
    assert "bad/broken.py:3:5: error: can't be parsed" in result.stderr
    assert "10 errors" in result.stdout


@pytest.mark.slow
def test_a_line_of_a_million_signs(call: Call) -> None:
    write(train=TRAIN + "x = [" + "1, " * 330_000 + "]\n", blocked=BLOCKED)
    assert call("migrate").exit_code == 1
    assert b"hvd.size()" in texts()["train.py"]


def test_the_frame_of_a_very_long_line_is_cut(call: Call) -> None:
    write(blocked="import tensorflow\nx = '" + "x" * 99_999 + "'; strategy\nm.fit(x)\n")
    output = call("check").stdout
    assert max(map(len, output.splitlines())) < 150
    assert "..." in output


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RecursionError("deep"), "nested too deeply"),
        (MemoryError(), "nested too deeply"),
        (UnsoundResult("D104", 3, "invalid syntax"), "D104 would have broken it"),
        (ZeroDivisionError("oh"), "ZeroDivisionError: oh"),
    ],
)
def test_whatever_the_engine_raises_leaves_the_file_and_names_it(
    call: Call, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    real = codemods.migrate

    def stumble(text: str, options: Options, name: str) -> Migration:
        if name == "a.py":
            raise error
        return real(text, options, name)

    monkeypatch.setattr(codemods, "migrate", stumble)
    write(a=TRAIN, b=TRAIN)
    result = call("migrate")
    assert result.exit_code == 2
    assert texts() == {"a.py": TRAIN.encode(), "b.py": MIGRATED.encode()}
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr


def test_an_unreadable_file_is_named(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, most: int) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("distify.assistant.files.examine.read", refuse)
    write(a=TRAIN)
    result = call("migrate")
    assert (result.exit_code, result.stderr) == (2, "a.py: error: permission denied\n")


def test_a_failing_write_leaves_every_file_as_it_was(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(a=TRAIN, b=TRAIN, c=TRAIN)
    before, replace = texts(), os.replace

    def full(source: str, target: str) -> None:
        if target.endswith("b.py"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    result = call("migrate")
    assert result.exit_code == 2
    assert texts() == before
    assert "b.py: error: could not be written: No space left on device" in result.stderr
    assert "a.py: error: was not written, because" in result.stderr
    assert "rewritten" not in result.stdout


def test_an_interrupt_leaves_every_file_as_it_was(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(a=TRAIN, b=TRAIN)
    before, replace = texts(), os.replace

    def interrupted(source: str, target: str) -> None:
        replace(source, target)
        if target.endswith("b.py"):
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    result = call("migrate")
    assert (result.exit_code, texts()) == (130, before)
    assert "no file was changed" in result.stderr


def test_a_read_only_file_is_named_and_the_others_are_written(call: Call) -> None:
    write(a=TRAIN, b=TRAIN)
    os.chmod("a.py", 0o444)
    result = call("migrate")
    assert (result.exit_code, result.stderr) == (2, "a.py: error: is read-only\n")
    assert texts() == {"a.py": TRAIN.encode(), "b.py": MIGRATED.encode()}


def test_a_file_that_someone_saved_meanwhile_is_left_to_them(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = codemods.migrate

    def slow(text: str, options: Options, name: str) -> Migration:
        Path("a.py").write_text("theirs\n")
        return real(text, options, name)

    write(a=TRAIN, b=TRAIN)
    monkeypatch.setattr(codemods, "migrate", slow)
    result = call("migrate")
    assert result.exit_code == 2
    assert texts() == {"a.py": b"theirs\n", "b.py": MIGRATED.encode()}
    assert "someone else" in result.stderr


def test_a_link_is_written_through(call: Call) -> None:
    write(real=TRAIN)
    Path("src").mkdir()
    os.symlink("../real.py", "src/link.py")
    assert call("migrate", "src/link.py").exit_code == 0
    assert Path("src/link.py").is_symlink()
    assert texts()["real.py"] == MIGRATED.encode()


def test_a_file_can_ask_to_be_left_alone(call: Call) -> None:
    write(train="# distify: skip-file\n" + TRAIN)
    result = call("migrate", "-v")
    assert result.exit_code == 0
    assert "train.py  left as it was: # distify: skip-file" in result.stdout
    assert b"hvd" not in texts()["train.py"]


def test_a_named_file_can_be_excluded_by_force(call: Call) -> None:
    write(train=TRAIN)
    Path("legacy").mkdir()
    Path("legacy/old.py").write_text(TRAIN)
    Path("pyproject.toml").write_text('[tool.distify]\nexclude = ["legacy/"]\n')
    named = ("legacy/old.py", "train.py")
    assert "2 files would be rewritten" in call("migrate", "--check", *named).stdout
    forced = call("migrate", "--check", "--force-exclude", *named)
    assert "1 file would be rewritten; 1 file searched" in forced.stdout
    assert call("migrate", "--force-exclude", "legacy/old.py").exit_code == 0
    assert Path("legacy/old.py").read_text() == TRAIN


def test_settings_of_the_project(call: Call) -> None:
    write(train=TRAIN, generated=TRAIN)
    Path("pyproject.toml").write_text(
        '[tool.distify]\nignore = ["D104"]\nexclude = ["generated.py"]\n'
    )
    assert call("migrate").exit_code == 0
    assert b"size()" not in texts()["train.py"]
    assert texts()["generated.py"] == TRAIN.encode()
    Path("pyproject.toml").write_text("[tool.distify]\nshard = 3\n")
    result = call("check")
    assert result.exit_code == 2
    assert "[tool.distify] shard must be" in result.stderr


@pytest.mark.parametrize("key", ["select", "ignore"])
def test_an_unknown_rule_of_the_settings_names_file_and_key(
    call: Call, here: Path, key: str
) -> None:
    write(train=TRAIN)
    Path("pyproject.toml").write_text(f'[tool.distify]\n{key} = ["D999"]\n')
    result = call("check")
    assert result.exit_code == 2
    assert f"{here}/pyproject.toml: [tool.distify] {key}: no rule D999" in result.stderr
    given = call("check", f"--{key}", "D140").stderr
    assert "Error: no rule D140; did you mean D104?" in given
    assert call("check", f"--{key}", "D104").exit_code == 1


@pytest.mark.parametrize(("given", "named"), [([], True), (["--ignore", "D104"], False)])
def test_rules_that_do_not_go_together_name_where_they_are_chosen(
    call: Call, monkeypatch: pytest.MonkeyPatch, given: list[str], named: bool
) -> None:
    def refuse(options: Options) -> None:
        raise codemods.BadChoice("D301 needs D104: ignore both or neither")

    monkeypatch.setattr(codemods, "check_choice", refuse)
    write(train=TRAIN)
    Path("pyproject.toml").write_text('[tool.distify]\nignore = ["D104"]\n')
    said = call("check", *given).stderr
    assert "D301 needs D104" in said
    assert ("pyproject.toml: [tool.distify] ignore: D301" in said) is named


def test_exclude_holds_from_wherever_distify_is_called(call: Call) -> None:
    Path("src").mkdir()
    write(**{"src/a": TRAIN, "src/generated": TRAIN})
    Path("pyproject.toml").write_text('[tool.distify]\nexclude = ["generated.py"]\n')
    assert "1 file would be rewritten; 1 file searched." in call("check", "src").stdout
    Path("src/pyproject.toml").write_text("[tool.distify]\n")
    assert "2 files would be rewritten; 2 files searched." in call("check", "src").stdout


def test_a_strangers_settings_are_not_read(call: Call) -> None:
    Path("pyproject.toml").write_text("[tool.distify]\nshard = 3\n")
    Path("../other").mkdir()
    Path("../other/train.py").write_text(TRAIN)
    assert call("check", "../other").exit_code == 1


def test_names_cannot_steer_the_terminal(call: Call) -> None:
    Path("\x1b[31m[red]x.py").write_text(BLOCKED.replace("scope()", "scope('\x1b[2J')"))
    for options in ([], ["-q"], ["--diff"]):
        output = call("migrate", *options).output
        assert "\x1b" not in output
        assert r"\x1b[31m[red]x.py" in output


def test_a_named_file_without_training_is_not_passed_over_in_silence(call: Call) -> None:
    write(other="x = 1\n", broken="x = (\n")
    result = call("migrate", "other.py")
    assert result.exit_code == 0
    assert "other.py  left as it was: no training loop" in result.stdout
    assert call("migrate", "broken.py").exit_code == 2


def test_nothing_to_search(call: Call) -> None:
    assert call("check").stdout == "No Python files found.\n"


def test_rules_and_explain(call: Call) -> None:
    assert "D104  scale-learning-rate  Scale the" in call("rules").stdout
    listed = json.loads(call("rules", "--format", "json").stdout)
    assert [rule["code"] for rule in listed] == ["D101", "D104", "D203"]
    others = call("rules").stdout.partition("Reports also name")[2].splitlines()[1:]
    assert max(map(len, others)) <= 79
    assert any("H07  averaged-by-nobody" in line for line in others)
    told = {word for line in others for word in line.split() if word in codemods.pages()}
    assert told == set(codemods.pages()) - {"D101", "D104", "D203"}
    for word in ("D104", "d104", "scale-learning-rate"):
        assert "# D104" in call("explain", word).stdout
        assert call("explain", word).exit_code == 0


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["explain", "d20"], "D201"),
        (["migrate", "--select", "D104,D20"], "D104,D201"),
        (["check", "--ignore", "T0"], "T07"),
        (["migrate", "--repair", "A0"], "A01"),
        (["pr", "--select", "D1"], "D104"),
        (["pr", "--ignore", "D104,D2"], "D104,D201"),
        (["exp"], "explain"),
    ],
)
def test_the_shell_completes_codes(typed: list[str], expected: str) -> None:
    from click.shell_completion import BashComplete

    from distify.assistant.cli.commands import distify

    found = BashComplete(distify, {}, "distify", "_C").get_completions(typed[:-1], typed[-1])
    assert expected in [each.value for each in found]
    assert all(each.value.lower().startswith(typed[-1].lower()) for each in found)


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        (["migrate"], "file"),
        (["check", "a.py"], "file"),
        (["pr"], "file"),
        (["verify"], "file"),
        (["check", "--baseline"], "file"),
        (["check", "--report"], "file"),
        (["check", "--verified"], "file"),
        (["migrate", "--answers"], "file"),
        (["migrate", "--output-dir"], "dir"),
        (["pr", "--body-file"], "file"),
        (["doctor", "--python"], "file"),
        (["install-horovod", "--python"], "file"),
    ],
)
def test_the_shell_completes_names_of_files(typed: list[str], kind: str) -> None:
    from click.shell_completion import BashComplete

    from distify.assistant.cli.commands import distify

    (found,) = BashComplete(distify, {}, "distify", "_C").get_completions(typed, "tra")
    assert (found.type, found.value) == (kind, "tra")


def test_without_a_command_the_help_is_shown_and_no_error(call: Call) -> None:
    result = call()
    told = result.stdout + result.stderr
    assert told.count("Usage:") == 1
    assert "Error" not in told
    assert "distify migrate --diff train.py" in told


@pytest.mark.parametrize(
    "arguments", [["-h"], ["migrate", "-h"], ["check", "-h"], ["verify", "-h"], ["race", "-h"]]
)
def test_help_teaches_with_examples(call: Call, arguments: list[str]) -> None:
    result = call(*arguments)
    assert result.exit_code == 0
    examples = ("distify migrate --diff", "distify check ", "distify verify train.py",
                "distify race train.py")  # fmt: skip
    assert any(example in result.stdout for example in examples)
    assert max(map(len, result.stdout.splitlines())) <= 80
