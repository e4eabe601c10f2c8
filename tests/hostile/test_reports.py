"""Reports go where they are told to: through no link, into no pipe, and whole."""

from __future__ import annotations

import os
import sys

import pytest

from .conftest import TRAIN, Checkout

NAMES = ["report.html", "report.json", "report.sarif", "report.xml", "report.md"]
COMMANDS = [("check", "a.py"), ("migrate", "--check", "a.py")]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["link", "dangling link", "pipe", "folder", "linked folder"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
def test_a_report_in_another_place(
    checkout: Checkout, command: tuple[str, ...], kind: str, name: str
) -> None:
    checkout.commit(a_py=TRAIN)
    path = checkout.folder / name
    if kind == "link":
        path.symlink_to(checkout.outside / "precious.txt")
    elif kind == "dangling link":
        path.symlink_to(checkout.outside / "new.txt")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        (checkout.folder / "out").symlink_to(checkout.outside)
        name = f"out/{name}"
    answer = checkout(*command, "--report", name)
    assert answer.code == 2
    assert f"{name} was not written" in answer.words


@pytest.mark.parametrize("option", ["--report", "--plot"])
def test_before_a_program_runs(checkout: Checkout, option: str) -> None:
    ran = checkout.folder / "ran"
    checkout.commit(a_py=f"open({str(ran)!r}, 'w')\n")
    name = "loss.svg" if option == "--plot" else "report.html"
    (checkout.folder / name).symlink_to(checkout.outside / "precious.txt")
    answer = checkout("verify", option, name, "--python", sys.executable, "a.py")
    assert answer.code == 2
    assert f"{name} is a link" in answer.words
    assert not ran.exists()


def test_who_forces_it_has_it(checkout: Checkout) -> None:
    checkout.commit(a_py=TRAIN)
    target = checkout.write("target.json", "old")
    (checkout.folder / "report.json").symlink_to(target)
    assert checkout("check", "--report", "report.json", "--force-report", "a.py").code == 1
    assert target.read_text().startswith("{")
    assert (checkout.folder / "report.json").is_symlink()


def test_a_file_that_is_there_keeps_its_rights(checkout: Checkout) -> None:
    checkout.commit(a_py=TRAIN)
    path = checkout.write("report.json", "old")
    path.chmod(0o600)
    assert checkout("check", "--report", "report.json", "a.py").code == 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text().startswith("{")
    assert not [each for each in os.listdir(checkout.folder) if each.startswith(".distify-")]


@pytest.mark.parametrize("name", ["out", "link/out"])
def test_a_folder_for_output_that_is_a_link(checkout: Checkout, name: str) -> None:
    checkout.commit(a_py=TRAIN)
    empty = checkout.outside.parent / "empty"
    empty.mkdir()
    (checkout.folder / name.partition("/")[0]).symlink_to(empty)
    answer = checkout("migrate", "--output-dir", name, "a.py")
    assert answer.code == 2
    assert "--output-dir" in answer.words
    assert not list(empty.iterdir())


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_a_page_is_told_of_a_run(checkout: Checkout, kind: str) -> None:
    checkout.commit(a_py=TRAIN)
    path = checkout.folder / "proof.json"
    os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    answer = checkout("check", "--format", "html", "--verified", "proof.json", "a.py")
    assert answer.code == 2
    assert "--verified proof.json" in answer.words
