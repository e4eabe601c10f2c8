"""What is imported when: `--version` is answered before anything heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from distify import __version__

HEAVY = {"click", "rich", "pathspec", "fissix", "bowler", "git", "ast", "importlib.resources"}


def imported(code: str) -> set[str]:
    start, end = (
        "import sys\nbefore = set(sys.modules)\n",
        "print(*set(sys.modules) - before, sep='\\n')",
    )
    script = f"{start}{code}\n{end}"
    command = [sys.executable, "-S", "-c", "import site; site.main()\n" + script]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return set(output.splitlines())


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
    modules = imported(
        f"sys.argv = ['distify', 'migrate', '--check', {str(tmp_path)!r}]\n"
        "from distify.assistant.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass"
    )
    assert "click" in modules
    assert not modules & {"rich", "fissix", "bowler", "git", "pathspec"}


@pytest.mark.parametrize("arguments", [["rules"], ["verify", "--help"], ["migrate", "--help"]])
def test_verify_is_loaded_where_it_is_used_only(arguments: list[str]) -> None:
    modules = imported(
        f"sys.argv = {['distify', *arguments]!r}\n"
        "import io\nsys.stdout, kept = io.StringIO(), sys.stdout\n"
        "from distify.assistant.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\nsys.stdout = kept"
    )
    assert "distify.assistant.cli_verify" in modules
    assert not {name for name in modules if name.startswith("distify.assistant.verify")}


@pytest.mark.parametrize("arguments", [["--version"], ["-V"]])
def test_python_m(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "distify.assistant", *arguments]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output == f"distify {__version__}\n"


def test_no_code_of_the_user_is_imported_or_run(tmp_path: Path) -> None:
    marker = tmp_path / "was-run"
    code = f"open({str(marker)!r}, 'w')\nimport tensorflow\nmodel.fit(x)\n"
    for name in ("train", "click", "rich", "tokenize", "gc", "tomllib", "pathspec", "conftest"):
        (tmp_path / f"{name}.py").write_text(code)
    (tmp_path / ".gitignore").write_text("*.txt\n")
    (tmp_path / "pyproject.toml").write_text("[tool.distify]\n")
    for arguments in (["check"], ["migrate", "--diff", "--color", "always"], ["migrate"]):
        command = [sys.executable, "-m", "distify.assistant", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "8 files searched" in done.stdout + done.stderr
    assert not marker.exists()
