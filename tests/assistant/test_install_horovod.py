"""The commands that build Horovod, and what is taken out of its source."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

import pytest

from distify.assistant import install_horovod

LISTED = "set(SOURCES\n    mpi_ops.cc\n    ${XLA}xla_mpi_ops.cc\n)\n"


def archived(folder: Path, text: str) -> Path:
    """An archive as pip fetches it; gives the folder that it is unpacked to."""
    source = folder / f"horovod-{install_horovod.HOROVOD}"
    member = tarfile.TarInfo(f"{source.name}/{install_horovod.SOURCES}")
    member.size = len(text)
    with tarfile.open(folder / f"{source.name}.tar.gz", "w:gz") as archive:
        archive.addfile(member, io.BytesIO(text.encode()))
    return source


def test_showing_the_commands_runs_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert install_horovod.main(["/no/such/python", "--show"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 5
    assert shown[1].endswith(f"horovod=={install_horovod.HOROVOD}")
    assert "HOROVOD_WITH_TENSORFLOW=1" in shown[3]
    assert "--no-cache-dir --no-build-isolation" in shown[3]
    assert shown[4].endswith("--check /no/such/python")


def test_the_settings_of_the_user_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOROVOD_WITHOUT_MPI", "0")
    monkeypatch.setenv("MAKEFLAGS", "--jobserver")
    settings = install_horovod.settings("/env/bin/python")
    assert settings["HOROVOD_WITHOUT_MPI"] == "0"
    assert settings["MAKEFLAGS"].startswith("-j")
    assert settings["PATH"].startswith("/env/bin:")


def test_one_line_of_the_source_goes(tmp_path: Path) -> None:
    source = archived(tmp_path, LISTED)
    assert install_horovod.main([str(source), "--patch"]) == 0
    left = (source / install_horovod.SOURCES).read_text(encoding="utf-8")
    assert left == "set(SOURCES\n    mpi_ops.cc\n)\n"


@pytest.mark.parametrize("text", ["set(SOURCES)\n", LISTED + LISTED])
def test_another_source_is_left_alone(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = archived(tmp_path, text)
    assert install_horovod.main([str(source), "--patch"]) == 2
    assert "not once" in capsys.readouterr().err
    assert (source / install_horovod.SOURCES).read_text(encoding="utf-8") == text


def test_a_python_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert install_horovod.main(["/no/such/python"]) == 2
    assert "can't be run" in capsys.readouterr().err


def test_a_command_that_fails_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(install_horovod.InstallProblem, match="exit code 3"):
        install_horovod.run((sys.executable, "-c", "raise SystemExit(3)"))
