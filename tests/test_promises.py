"""The eight promises of the architecture, each over every program that there is."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bowler import Query

from distify.assistant.cli import commands
from distify.codemods import rewrites
from distify.codemods.edits import At, Places, Remove
from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options
from distify.codemods.syntax import LN
from repeated import one_in

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PROGRAMS = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLES}
RULES = {f"{rule.code}-{rule.name}": rule.before for rule in rewrites.all()}
PROGRAMS.update(RULES)

PLAIN = "keras_sequential.py"
DISTIFY = str(Path(sys.executable).with_name("distify"))

SOME = [*one_in(4, [path.name for path in EXAMPLES]), *RULES]
each_program = pytest.mark.parametrize("name", SOME)


@cache
def migrated(name: str) -> Migration:
    return migrate(PROGRAMS[name], name=name)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a person runs it, in a folder of theirs."""
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [DISTIFY, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@each_program
def test_who_only_looks_is_told_of_the_same_changes(name: str) -> None:
    looked = migrate(PROGRAMS[name], Options(only_look=True), name)
    assert looked.changing_rules == migrated(name).changing_rules
    assert (looked.steps, looked.after) == ((), looked.before)


# ------------------------------------------------- 1: nothing else changes, byte for byte


def statements(text: str) -> list[ast.stmt]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]


def touched(migration: Migration) -> list[ast.stmt]:
    """The innermost statements of the original that hold a rewritten place."""
    every = statements(migration.before)
    return [
        min(
            (s for s in every if s.lineno <= line <= (s.end_lineno or line)),
            key=lambda s: (s.end_lineno or 0) - s.lineno,
        )
        for step in migration.steps
        for line, _ in step.places
    ]


def touched_lines(migration: Migration) -> set[int]:
    """Lines from 1; of a compound statement only its head is rewritten.

    The head of an `if` is, too, where all that stands in it is guarded.
    """
    lines: set[int] = set()
    places = touched(migration)
    starts = {statement.lineno for statement in places}
    narrowed = [
        s
        for s in statements(migration.before)
        if isinstance(s, ast.If) and not s.orelse and {inner.lineno for inner in s.body} <= starts
    ]
    for statement in [*places, *narrowed]:
        body = getattr(statement, "body", None)
        last = max(body[0].lineno - 1, statement.lineno) if body else statement.end_lineno or 0
        lines.update(range(statement.lineno, last + 1))
    return lines


def lost_lines(before: str, after: str) -> set[int]:
    """The lines of `before`, from 1, that `after` does not have in this order; guards indent them.

    Of all lines in common those count that hold most text: a bracket is no reason to lose another.
    """
    old, new = ([line.strip() for line in text.splitlines()] for text in (before, after))
    best = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            both = len(old[i]) + best[i + 1][j + 1] if old[i] == new[j] else 0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    lost, j = set[int](), 0
    for i, line in enumerate(old):
        place = next((k for k in range(j, len(new)) if best[i][k] != best[i][k + 1]), len(new))
        if place < len(new) and line == new[place] and best[i][j] != best[i + 1][j]:
            j = place + 1
        elif line:
            lost.add(i + 1)
    return lost


@pytest.mark.parametrize(
    ("after", "lost"),
    [("a\nbb\nc", set()), ("a\nc", {2}), ("bb\na\nc", {1}), ("if x:\n    a\n    bb\nc", set())],
)
def test_1_a_line_that_is_gone_or_moved_is_told(after: str, lost: set[int]) -> None:
    assert lost_lines("a\nbb\nc", after) == lost


@each_program
def test_1_lines_without_a_rewritten_place_stay(name: str) -> None:
    migration = migrated(name)
    assert lost_lines(migration.before, migration.after) <= touched_lines(migration)


def with_comments(text: str) -> str:
    """The same program with a comment at the end of every statement."""
    ends = [
        token.start
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.NEWLINE
    ]
    lines = text.splitlines(keepends=True)
    for number, (line, column) in enumerate(ends):
        end = lines[line - 1]
        if "#" not in end:
            lines[line - 1] = f"{end[:column].rstrip()}  #{number}{end[column:]}"
    return "".join(lines)


def comments(text: str, gone: Container[int] = ()) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = (token for token in tokens if token.type == tokenize.COMMENT)
    return [token.string for token in found if token.start[0] not in gone]


def pinned(migration: Migration) -> set[int]:
    """The lines of the choice of a GPU, which takes its comments along; imports leave theirs."""
    dropped = (step for step in migration.steps if step.code == "D103")
    lines = {line for step in dropped for line, _ in step.places}
    text = migration.before.splitlines()
    return {line for line in lines if not text[line - 1].startswith(("import ", "from "))}


@each_program
def test_1_every_comment_stays_and_steers_nothing(name: str) -> None:
    before = with_comments(PROGRAMS[name])
    migration = migrate(before, name=name)
    after, stay = migration.after, comments(before, pinned(migration))
    assert [comment for comment in comments(after) if comment in before] == stay
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(migrated(name).after))


@each_program
def test_1_line_ends_stay(name: str) -> None:
    text, after = PROGRAMS[name], migrated(name).after
    assert migrate(text.replace("\n", "\r\n"), name=name).after == after.replace("\n", "\r\n")
    assert migrate(text.rstrip("\n"), name=name).after == after.rstrip("\n")


def tabs(text: str) -> str:
    return re.sub(r"^(    )+", lambda m: "\t" * (len(m[0]) // 4), text, flags=re.M)


def has_blocks(text: str) -> bool:
    """Whether there is a block to take the indentation from, of four spaces."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "    " in [token.string for token in tokens if token.type == tokenize.INDENT]


@each_program
def test_1_tabs_stay(name: str) -> None:
    if not has_blocks(PROGRAMS[name]):
        return
    after = migrate(tabs(PROGRAMS[name]), name=name).after
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(tabs(migrated(name).after)))
    assert not re.search(r"^\t* {4}", after, flags=re.M)


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", "# größer\n"),
        ("utf-8-sig", "# größer\n"),
        ("latin-1", "# -*- coding: latin-1 -*-  größer\n"),
    ],
)
def test_1_encodings_stay(tmp_path: Path, encoding: str, head: str) -> None:
    text, after = PROGRAMS[PLAIN], migrated(PLAIN).after
    file = tmp_path / PLAIN
    file.write_bytes((head + text.replace("\n", "\r\n")).encode(encoding))
    done = run(tmp_path, "migrate", PLAIN)
    assert done.returncode == 0, done.stderr
    assert file.read_bytes() == (head + after.replace("\n", "\r\n")).encode(encoding)


# ------------------------------------------------- 2: the result is sound, or nothing is written


def dumps(text: str) -> Iterator[str]:
    """Every simple statement, without its place, in order."""

    class Visitor(ast.NodeVisitor):
        found: list[str] = []  # noqa: RUF012

        def generic_visit(self, node: ast.AST) -> None:
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                found.append(ast.dump(node))
            super().generic_visit(node)

    found: list[str] = []
    Visitor().visit(ast.parse(text))
    return iter(found)


@each_program
def test_2_every_other_statement_means_the_same(name: str) -> None:
    migration = migrated(name)
    compile(migration.after, name, "exec", dont_inherit=True)
    changed = {ast.dump(statement) for statement in touched(migration)}
    rest = dumps(migration.after)
    for statement in dumps(migration.before):
        assert statement in changed or statement in rest, statement  # `in` moves on: order counts


def break_the_first_import(at: Places) -> Query:
    def garble(node: LN, capture: dict[str, Any], filename: str) -> None:
        for _ in capture["edits"]:
            node.prefix += ")"

    return Query().select("import_name").filter(at.each(Remove)).modify(garble)


def test_2_a_result_that_fails_a_check_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = rewrites.all()[0]._replace(
        code="D999",
        find=lambda facts: [At(facts.module.body[0], Remove())],
        build=break_the_first_import,
    )
    every = (*rewrites.all(), wrong)
    monkeypatch.setattr(rewrites, "all", lambda **_: every)
    file = tmp_path / "train.py"
    file.write_text("import os\n" + PROGRAMS[PLAIN].partition('"""\n')[2], encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(SystemExit) as end:
        commands.distify(["migrate", str(file)])
    assert end.value.code == 1
    assert file.read_bytes() == before
    assert re.search(r"blocked P04 line 1: what D999 does", capsys.readouterr().out)


# ------------------------------------------------- 3: a second run changes nothing


@each_program
def test_3_a_second_run_changes_nothing(name: str) -> None:
    after = migrated(name).after
    assert migrate(after, name=name).after == after


# ------------------------------------------------- 4: valid after every single rule


@each_program
def test_4_every_step_is_a_program(name: str) -> None:
    for step in migrated(name).steps:
        compile(step.text, f"{name} after {step.code}", "exec", dont_inherit=True)


def test_4_every_step_knows_its_names(tmp_path: Path) -> None:
    """Undefined names, and names used before they are bound."""
    for path in EXAMPLES:
        for step in migrated(path.name).steps:
            (tmp_path / f"{path.stem}_{step.code}.py").write_text(step.text, encoding="utf-8")
    ruff = [str(Path(sys.executable).with_name("ruff")), "check", "--isolated", "--no-cache"]
    rules = ["--select", "F821,F823,F811,E9", "--output-format", "concise"]
    done = subprocess.run(
        [*ruff, *rules, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert any(tmp_path.iterdir())
    assert done.returncode == 0, done.stdout


# ------------------------------------------------- 5: all or nothing


def test_5_a_failure_in_the_middle_leaves_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distify.assistant.files import writes
    from distify.assistant.files.choice import Choice
    from distify.assistant.files.result import look, write
    from distify.assistant.report.terminal import Terminal

    before = {str(tmp_path / f"{number}.py"): PROGRAMS[PLAIN].encode() for number in range(4)}
    for path, data in before.items():
        Path(path).write_bytes(data)
    replaced: list[str] = []
    replace = os.replace

    def third_fails(source: str, target: str) -> None:
        replaced.append(target)
        if len(replaced) == 3:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(writes.os, "replace", third_fails)
    seen = look([str(tmp_path)], Choice((), ()), Terminal("never"))
    assert sum(outcome.changed for outcome in seen.outcomes) == 4
    assert write(seen).failed
    assert len(replaced) > 3  # the first two were there already, and were put back
    assert {str(path): path.read_bytes() for path in tmp_path.iterdir()} == before


# ------------------------------------------------- 6: nobody's code is imported or run

TRAP = "open(__file__ + '.ran', 'w').close()\n"


def test_6_nothing_is_imported_or_run(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        f"import os\n{TRAP}import tensorflow as tf\n{PROGRAMS[PLAIN]}", encoding="utf-8"
    )
    for name in ("tensorflow", "keras", "horovod", "numpy", "click", "conftest", "setup", "ast"):
        (tmp_path / f"{name}.py").write_text(TRAP, encoding="utf-8")
    for arguments in (["check"], ["migrate", "--diff"], ["migrate", "--check"], ["migrate"]):
        done = run(tmp_path, *arguments, ".")
        assert "Traceback" not in done.stderr
    assert "import horovod" in script.read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.ran"))


WATCHED = """
import sys
from distify.codemods.migrate import migrate
from distify.codemods import rewrites
text = open(sys.argv[1], encoding="utf-8").read()
rewrites.all(), migrate(text)  # imports and reads what it will ever need of its own
seen = []
sys.addaudithook(lambda event, arguments: seen.append(event))
migrate(text)
forbidden = ("open", "import", "exec", "socket.", "subprocess.", "os.", "shutil.", "tempfile.")
sys.exit(", ".join(sorted({event for event in seen if event.startswith(forbidden)})) or 0)
"""


@pytest.mark.parametrize("path", EXAMPLES[::5], ids=lambda path: path.name)
def test_6_thinking_touches_nothing_outside(path: Path) -> None:
    command = [sys.executable, "-c", WATCHED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ------------------------------------------------- 7: silence means done


def test_7_what_could_not_be_done_is_named(tmp_path: Path) -> None:
    good = tmp_path / PLAIN
    good.write_text(PROGRAMS[PLAIN], encoding="utf-8")
    bad = {
        "broken.py": b"import tensorflow as tf\nmodel.fit(\n",
        "null.py": b"import tensorflow as tf\nmodel.fit(x)\0\n",
        "encoding.py": b"import tensorflow as tf\nmodel.fit('\xff')\n",
        "cookie.py": b"# coding: nonsense\nimport tensorflow as tf\nmodel.fit(x)\n",
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
    done = run(tmp_path, "migrate", ".", "missing.py")
    assert done.returncode == 2
    told = [line for line in done.stderr.splitlines() if "error" in line]
    for name in (*bad, "missing.py"):
        assert sum(name in line for line in told) == 1, done.stderr
    assert "import horovod" in good.read_text(encoding="utf-8")
    assert {name: (tmp_path / name).read_bytes() for name in bad} == bad


def test_7_what_was_blocked_is_named_and_fails(tmp_path: Path) -> None:
    strategy = "import tensorflow as tf\ns = tf.distribute.MirroredStrategy()\nmodel.fit(x, y)\n"
    (tmp_path / "train.py").write_text(strategy, encoding="utf-8")
    done = run(tmp_path, "migrate", "train.py")
    assert done.returncode == 1
    assert re.search(r"train\.py.*\n.*N01 line 2", done.stdout + done.stderr), done.stdout
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == strategy


# ------------------------------------------------- 8: the same on every Python


def interpreter(version: str) -> str | None:
    """A Python of this version: our own environment for it, else any that is on this machine."""
    own = ROOT / f".venv-{version}" / "bin" / "python"
    pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for candidate in (str(own), f"python{version}", *map(str, pyenv)):
        ask = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        try:
            told = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
        except OSError:
            continue
        if told.strip() == version:
            return candidate
    return None


def import_path(folder: Path) -> str:
    """Our packages as they are installed, and the site-packages with Bowler in it."""
    import fissix

    package = folder / "distify"
    package.mkdir()
    (package / "__init__.py").symlink_to(ROOT / "src" / "distify" / "__init__.py")
    for room in ("codemods", "assistant"):
        (package / room).symlink_to(ROOT / room)
    return os.pathsep.join((str(folder), str(Path(fissix.__file__).parent.parent)))


@cache
def own_digest() -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "outcomes.py")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "version",
    ["3.9", "3.13", *(pytest.param(f"3.{n}", marks=pytest.mark.nightly) for n in (10, 11, 12))],
)
def test_8_every_python_gives_the_same(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    environment = {**os.environ, "PYTHONHASHSEED": "2"}
    if ".venv" not in python:
        environment["PYTHONPATH"] = import_path(tmp_path)
    ready = [python, "-c", "import bowler, distify.codemods.migrate"]
    probe = subprocess.run(ready, env=environment, capture_output=True, text=True, check=False)
    if "site-packages/click" in probe.stderr:
        pytest.skip(f"the libraries here are too new for it: make test-python-{version}")
    script = [python, str(ROOT / "tests" / "outcomes.py")]
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == own_digest()
