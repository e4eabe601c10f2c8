"""What is imported when: `--version` is answered before anything heavy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from distify import __version__
from distify.assistant.__main__ import main
from repeated import several

ROOT = Path(__file__).parents[2]
HEAVY = {"click", "rich", "packaging", "fissix", "bowler", "git", "ast", "importlib.resources"}


def imported(code: str) -> set[str]:
    start, end = (
        "import sys\nbefore = set(sys.modules)\n",
        "print(*set(sys.modules) - before, sep='\\n')",
    )
    script = f"{start}{code}\n{end}"
    command = [sys.executable, "-S", "-c", "import site; site.main()\n" + script]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(output.splitlines())


def imported_by(*arguments: str) -> set[str]:
    """What a call of the command imports, and `exit CODE`."""
    return imported(
        f"sys.argv = {['distify', *arguments]!r}\n"
        "import io\nsys.stdout, kept = io.StringIO(), sys.stdout\n"
        "from distify.assistant.__main__ import main\n"
        "try: main()\nexcept SystemExit as end: print('exit', end.code, file=kept)\n"
        "sys.stdout = kept"
    )


def test_the_version_is_answered_before_anything_heavy_is_imported() -> None:
    modules = imported(
        "sys.argv = ['distify', '--version']\nfrom distify.assistant.__main__ import main\nmain()"
    )
    assert f"distify {__version__}" in modules
    assert not modules & HEAVY
    assert len(modules) < 12


def test_without_colors_and_candidates_neither_rich_nor_the_engine_is_imported(
    tmp_path: Path,
) -> None:
    (tmp_path / "x.py").write_text("x = 1\n")
    modules = imported_by("migrate", "--check", str(tmp_path))
    assert "distify.assistant.files.result" in modules
    assert not modules & {"click", "rich", "fissix", "bowler", "git", "packaging", "ast"}


def test_who_only_looks_waits_for_no_other_command() -> None:
    """But for the texts, which are judged before it is said that they would be written."""
    train = Path(__file__).parents[2] / "examples" / "keras_callbacks.py"
    modules = imported_by("migrate", "--check", "--no-cache", str(train))
    assert "exit 1" in modules
    assert "distify.codemods.rewrites.d302_fit_callbacks" in modules
    assert not modules & {"click", "multiprocessing", "rich", "git", "json"}
    assert not {name for name in modules if re.search(r"\.(?:d501_|layers\.|c\d\d_)", name)}


def test_who_rewrites_waits_for_no_command_line_and_no_processes(tmp_path: Path) -> None:
    train = tmp_path / "train.py"
    train.write_text((Path(__file__).parents[2] / "examples" / "keras_callbacks.py").read_text())
    modules = imported_by("migrate", "--force-exclude", str(train))
    assert "exit 0" in modules
    assert "horovod" in train.read_text()
    assert "bowler" in modules
    assert not modules & {"click", "multiprocessing", "rich", "git", "json"}


def test_a_command_waits_for_no_other_one(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("x = 1\n")
    modules = imported_by("check", str(tmp_path))
    assert "exit 0" in modules
    cli = {name.rpartition(".")[2] for name in modules if name.startswith("distify.assistant.cli.")}
    shared = {"interrupts", "options", "quick", "commands", "paths"}
    assert cli == {*shared, "check", "baseline", "reports"}


@pytest.mark.parametrize("arguments", [["rules"], ["verify", "--help"], ["migrate", "--help"]])
def test_verify_is_loaded_where_it_is_used_only(arguments: list[str]) -> None:
    modules = imported_by(*arguments)
    assert not {name for name in modules if name.startswith("distify.assistant.verify")}


def test_the_last_search_for_cycles_has_nothing_to_search() -> None:
    tell = (
        "import atexit, gc\natexit.register(lambda: print('frozen', gc.get_freeze_count() > 0))\n"
    )
    main = "from distify.assistant.__main__ import main\nsys.argv = ['distify', '-V']\nmain()"
    assert "frozen True" in imported(tell + main)


@pytest.mark.parametrize("arguments", [["--version"], ["-V"]])
@pytest.mark.parametrize("module", ["distify", "distify.assistant"])
def test_python_m(module: str, arguments: list[str]) -> None:
    command = [sys.executable, "-m", module, *arguments]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output == f"distify {__version__}\n"


@pytest.mark.parametrize("module", ["commands", "check"])
def test_an_interrupt_while_it_starts_is_one_line(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["distify", "check"])
    monkeypatch.setitem(sys.modules, f"distify.assistant.cli.{module}", Interrupted())
    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
        main()
    assert ended.value.args == (130,)
    assert capsys.readouterr().err == "interrupted; no file was changed\n"


EXAMPLE = Path(__file__).parents[2] / "examples" / "keras_callbacks.py"
FULL = Path("/dev/full")
TRAIN = "import tensorflow as tf\nmodel.fit(x)\n"


@pytest.mark.skipif(not FULL.exists(), reason="no device is always full here")
@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["check"], 0),
        (["migrate", "-"], 0),
        (["migrate", "-"], 10_000),
        (["explain", "N01"], 0),
        (["--version"], 0),
        (["check", "--help"], 0),
    ],
)
def test_a_full_standard_output_is_told_in_one_line(
    tmp_path: Path, arguments: list[str], lines: int
) -> None:
    text = TRAIN + "x = 1\n" * lines
    (tmp_path / "train.py").write_text(text)
    command = [sys.executable, "-m", "distify.assistant", *arguments]
    with FULL.open("wb") as full:
        done = subprocess.run(
            command, cwd=tmp_path, input=text.encode(), stdout=full, stderr=subprocess.PIPE
        )
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert said.endswith("error: standard output can't be written: no space left on device\n")
    assert "Traceback" not in said
    assert said.count("error") == 1
    assert (tmp_path / "train.py").read_text() == text


@pytest.mark.parametrize("arguments", [["check"], ["--version"]])
def test_a_closed_pipe_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "distify.assistant", *arguments]
    done = subprocess.run(command, cwd=tmp_path, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [("migrate train.py", 0), ("migrate --check train.py", 1), ("check -", 0), ("--version", 0)],
)
def test_streams_that_are_closed_are_silent(
    tmp_path: Path, closed: str, arguments: str, code: int
) -> None:
    train = tmp_path / "train.py"
    train.write_text((Path(__file__).parents[2] / "examples" / "keras_callbacks.py").read_text())
    command = f"exec {sys.executable} -m distify.assistant {arguments} {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, input=b"")
    assert (done.returncode, done.stderr) == (code, b"")
    assert (b"horovod" in train.read_bytes()) == (arguments == "migrate train.py")


@pytest.mark.parametrize("module", ["distify", "distify.assistant"])
def test_no_code_of_the_user_is_imported_or_run(tmp_path: Path, module: str) -> None:
    marker = tmp_path / "was-run"
    code = f"open({str(marker)!r}, 'w')\nimport tensorflow\nmodel.fit(x)\n"
    # Before Python 3.11, `-m` itself looks here for these two.
    standard = ("collections", "contextlib") if sys.version_info >= (3, 11) else ()
    for name in (
        *standard,
        "train",
        "click",
        "rich",
        "tokenize",
        "gc",
        "tomllib",
        "packaging",
        "conftest",
    ):
        (tmp_path / f"{name}.py").write_text(code)
    (tmp_path / ".gitignore").write_text("*.txt\n")
    (tmp_path / "pyproject.toml").write_text("[tool.distify]\n")
    for arguments in (["check"], ["migrate", "--diff", "--color", "always"], ["migrate"]):
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert f"{8 + len(standard)} files searched" in done.stdout + done.stderr
    assert not marker.exists()


HOSTILE = "import sys\nopen(sys.argv[0] + '.ran', 'w').close()\nraise SystemExit(99)\n"
OTHERS = [
    *("bowler", "click", "codemods", "assistant", "conftest", "fissix", "git"),
    *("packaging", "requests", "rich", "setup", "tomli"),
]
SITE = ["sitecustomize", "usercustomize"]
SAFE = ["-P"] if sys.version_info >= (3, 11) else []


def hostile(folder: Path, standard: Collection[str]) -> None:
    """A folder in which whatever distify may ever import lies as a module and as a package."""
    for name in (*standard, *OTHERS, *SITE):
        (folder / f"{name}.py").write_text(HOSTILE)
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(HOSTILE)


@pytest.mark.skipif(not SAFE, reason="before Python 3.11 `-m` itself looks there")
@pytest.mark.parametrize(
    "how", [("-m", "distify"), pytest.param(("-m", "distify.assistant"), marks=pytest.mark.slow)]
)
def test_no_name_of_the_current_folder_stands_for_another(
    tmp_path: Path, how: tuple[str, ...]
) -> None:
    hostile(tmp_path, {name for name in sys.stdlib_module_names if name != "__main__"})
    asked([sys.executable, *how], tmp_path)


@pytest.mark.parametrize(
    "how",
    several(
        (sys.executable, *SAFE, "-m", "distify"),
        (str(Path(sys.executable).with_name("distify")),),
    ),
)
def test_not_even_distify_itself(tmp_path: Path, how: tuple[str, ...]) -> None:
    """With `-m` Python itself looks in the current folder for it, unless told not to (-P)."""
    hostile(tmp_path, ())
    if SAFE or "-m" not in how:
        (tmp_path / "distify").mkdir()
        for name in ("__init__", "__main__"):
            (tmp_path / "distify" / f"{name}.py").write_text(HOSTILE)
    asked(how, tmp_path)


def asked(how: Sequence[str], folder: Path) -> None:
    """Each way of loading is gone: the quick ones, the command line, git, the engine, colours."""
    (folder / "train").mkdir()
    (folder / "train" / "it.py").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    for arguments, code in (
        (["--version"], 0),
        (["migrate", "--check", "train"], 1),
        (["check", "train", "--color", "always"], 1),
        (["undo"], 2),
        (["migrate", "train"], 0),
    ):
        done = subprocess.run([*how, *arguments], cwd=folder, capture_output=True, text=True)
        assert done.returncode == code, (arguments, done.stdout + done.stderr)
    assert not list(folder.glob("**/*.ran"))
    assert "horovod" in (folder / "train" / "it.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["trains", "migrated"])
def test_what_was_looked_at_before_waits_for_no_engine(kind: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    train = tmp_path / "train.py"
    train.write_text((Path(__file__).parents[2] / "examples" / "keras_callbacks.py").read_text())
    if kind == "migrated":
        imported_by("migrate", str(train))
    asked = "migrate", "--check", "--force-exclude", str(train)
    first, again = imported_by(*asked), imported_by(*asked)
    assert "distify.codemods.facts" in first
    assert {name for name in again if name.startswith("exit")} == (
        {name for name in first if name.startswith("exit")}
    )
    engine = r"distify\.codemods\.(?:facts|restrictions|rewrites|program\.(?!records|spending))"
    assert not {name for name in again if name in HEAVY or re.match(engine, name)}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """distify as it lies in an environment, with one script beside it; the folder of both."""
    folder = tmp_path_factory.mktemp("installed")
    ignored = shutil.ignore_patterns("__pycache__", "verify", "pull", "git", "walk")
    shutil.copytree(ROOT / "src" / "distify", folder / "distify", ignore=ignored)
    for half in ("assistant", "codemods"):
        shutil.copytree(ROOT / half, folder / "distify" / half, ignore=ignored)
    (folder / "train.py").write_bytes((ROOT / "examples" / "keras_callbacks.py").read_bytes())
    return folder


LOOK = """\
import sys
sys.path.insert(0, {folder!r})
sys.argv = ["distify", "migrate", "--check", "--no-cache", {train!r}]
from importlib.machinery import SourceFileLoader
read, found = SourceFileLoader.get_code, []
SourceFileLoader.get_code = lambda self, name: (found.append(name), read(self, name))[1]
from distify.assistant.__main__ import main
try: main()
finally:
    import distify.codemods.migrate as thinking
    names = [name for name in found if name.startswith("distify.codemods.")]
    print(len(names), thinking.__file__, thinking.__spec__.origin, thinking.migrate.__module__)
"""


def looked(folder: Path, **environment: str) -> tuple[str, int, str]:
    """What is told of the script, how many modules were found one by one, and where they lie."""
    code = LOOK.format(folder=str(folder), train=str(folder / "train.py"))
    unset = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-S", "-c", "import site; site.main()\n" + code]
    kept = {**unset, **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=kept, cwd=folder)
    assert done.returncode == 1, done.stderr
    *told, last = done.stdout.splitlines()
    count, place = last.split(" ", 1)
    return "\n".join(told), int(count), place


def test_the_second_hook_finds_no_module_by_itself_and_answers_the_same(installed: Path) -> None:
    first, second = looked(installed), looked(installed)
    assert first[1] > 300
    assert second == (first[0], second[1], first[2])
    assert second[1] < 10
    assert str(installed / "distify" / "codemods" / "migrate.py") in first[2]


def test_what_is_kept_is_not_believed_once_a_source_is_another(installed: Path) -> None:
    looked(installed)
    source = installed / "distify" / "codemods" / "facts" / "facts.py"
    source.write_text(source.read_text(encoding="utf-8") + "# another\n", encoding="utf-8")
    assert looked(installed)[1] > 300
    assert looked(installed)[1] < 10
    (kept,) = (installed / "distify" / "assistant" / "__pycache__").glob("look-imports*")
    for wrong in (b"nothing", kept.read_bytes()[:-100]):
        kept.write_bytes(wrong)
        assert looked(installed)[1] > 300


@pytest.mark.parametrize("name", ["PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"])
def test_nothing_is_kept_where_no_bytecode_is_to_be_written(installed: Path, name: str) -> None:
    shutil.rmtree(installed / "distify" / "assistant" / "__pycache__", ignore_errors=True)
    looked(installed, **{name: str(installed / "elsewhere")})
    assert not list(installed.glob("distify/assistant/__pycache__/*imports*-0"))


def test_a_checkout_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    command = [sys.executable, "-m", "distify", "migrate", "--check", "train.py"]
    unset = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    assert subprocess.run(command, cwd=tmp_path, env=unset, capture_output=True).returncode == 1
    assert not list((ROOT / "assistant" / "__pycache__").glob("*-imports*"))


PATTERNS = """\
import sys
sys.path.insert(0, {folder!r})
sys.argv = ["distify", "migrate", "--check", "--no-cache", {train!r}]
import re
compile, found = {module}.compile, []
def compiled(pattern, flags=0):
    if isinstance(pattern, (str, bytes)):
        found.append(pattern)
    return compile(pattern, flags)
{module}.compile = compiled
from distify.assistant.__main__ import main
try: main()
finally: print(len(found))
"""


def test_the_second_hook_compiles_no_pattern_and_answers_the_same(installed: Path) -> None:
    module = "re._compiler" if sys.version_info >= (3, 11) else "re.sre_compile"
    place = {"folder": str(installed), "train": str(installed / "train.py"), "module": module}
    told = []
    for _ in range(3):
        command = [
            sys.executable,
            "-S",
            "-c",
            "import site; site.main()\n" + PATTERNS.format(**place),
        ]
        # A measure of coverage starts before it, and has modules and patterns of its own.
        others = ("PYTHON", "COVERAGE")
        unset = {name: text for name, text in os.environ.items() if not name.startswith(others)}
        done = subprocess.run(command, capture_output=True, text=True, env=unset, cwd=installed)
        *said, count = done.stdout.splitlines()
        told.append((said, int(count)))
        if len(told) == 2:
            (kept,) = (installed / "distify" / "assistant" / "__pycache__").glob("patterns*")
            kept.write_bytes(kept.read_bytes()[:-100])
    assert told[0][0] == told[1][0] == told[2][0]
    assert told[1][1] < 5
    assert told[2][1] > 50
