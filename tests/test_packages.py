"""What is built, what is pinned, and with which hashes: the way from this checkout to a user."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from test_project import PROJECT, ROOMS, ROOT

LOCKS = sorted((ROOT / "locks").glob("*.txt"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PIN = re.compile(r"([a-z0-9-]+)(?:\[\w+\])?==([^ ;]+)(?: ; (.+))?")
BUILT = (
    *("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"),
    *("src", "codemods", "assistant", "docs", "examples", "tests"),
)

each_lock = pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)


# ------------------------------------------------- what is built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution, built in a copy of the checkout."""
    scratch = tmp_path_factory.mktemp("built")
    copied = scratch / "checkout"
    copied.mkdir()
    subprocess.run(["cp", "-r", *(str(ROOT / name) for name in BUILT), str(copied)], check=True)
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(scratch)]
    done = subprocess.run([*build, str(copied)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return scratch


def packaged(*patterns: str) -> set[str]:
    return {
        "/".join((*package.split("."), *path.relative_to(room).parts))
        for package, room in ROOMS.items()
        for pattern in patterns
        for path in room.rglob(pattern)
    }


@pytest.mark.slow
def test_the_wheel_holds_what_the_program_reads(built: Path) -> None:
    """`build` makes it from the source distribution, which so holds what it is built from."""
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert packaged("*.py", "*.md", "*.txt", "py.typed") <= names
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {"distify"}


def stand_in(index: Path, name: str) -> None:
    """A wheel of a dependency that only leads to where this Python has it: nothing is fetched."""
    version = metadata.version(name)
    stem = f"{canonicalize_name(name).replace('-', '_')}-{version}"
    said = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    wheel = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        f"{stem.partition('-')[0]}.pth": f"{sysconfig.get_path('purelib')}\n",
        f"{stem}.dist-info/METADATA": said,
        f"{stem}.dist-info/WHEEL": wheel,
    }
    record = "".join(f"{each},,\n" for each in (*files, f"{stem}.dist-info/RECORD"))
    with zipfile.ZipFile(index / f"{stem}-py3-none-any.whl", "w") as archive:
        for path, text in {**files, f"{stem}.dist-info/RECORD": record}.items():
            archive.writestr(path, text)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["distify-horovod"], ["--from", "distify-horovod", "distify"]])
def test_one_line_tries_the_wheel_from_an_index(
    built: Path, tmp_path: Path, words: list[str]
) -> None:
    """As `uvx distify-horovod check train.py` does, whatever is installed already."""
    index = tmp_path / "index"
    index.mkdir()
    (wheel,) = built.glob("*.whl")
    (index / wheel.name).write_bytes(wheel.read_bytes())
    for asked in map(Requirement, PROJECT["project"]["dependencies"]):
        if asked.marker is None or asked.marker.evaluate():
            stand_in(index, asked.name)
    example = tmp_path / "train.py"
    example.write_text((ROOT / "examples" / "keras_callbacks.py").read_text(encoding="utf-8"))
    uv = [str(Path(sys.executable).with_name("uv")), "tool", "run", "--no-config", "--no-index"]
    where = ["--find-links", str(index), "--cache-dir", str(tmp_path / "cache")]
    command = [*uv, *where, "--python", sys.executable, *words, "check", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "train.py  would be rewritten" in done.stdout


@pytest.mark.slow
def test_the_source_distribution_holds_documents_and_no_half_of_the_tests(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        members = [member for member in archive.getmembers() if not member.isdir()]
    assert all(member.isfile() for member in members)
    names = {member.name.partition("/")[2] for member in members}
    wanted = {p for folder in ("docs", "examples") for p in (ROOT / folder).glob("*.*")}
    wanted |= {ROOT / name for name in BUILT if (ROOT / name).is_file()}
    assert {str(each.relative_to(ROOT)) for each in wanted} <= names
    assert not [name for name in names if name.startswith("tests") or "__pycache__" in name]


# ------------------------------------------------- what is pinned


def pins(text: str) -> list[tuple[str, str, str]]:
    """(name, version, marker or "") of each requirement."""
    found = [PIN.match(line) for line in text.splitlines() if line[:1].isalnum()]
    return [(m[1], m[2], (m[3] or "").rstrip(" \\")) for m in found if m]


def names(text: str) -> set[str]:
    return {name for name, _, _ in pins(text)}


@each_lock
def test_every_line_is_a_version_or_its_hash(lock: Path) -> None:
    """No index, no address, no file of anybody's machine; and a hash for each version."""
    pin = r"[a-z0-9-]+(?:\[\w+\])?==[\w.]+(?: ; [\w.'<>=!*() -]+)? \\\n"
    hashes = r"    --hash=sha256:[0-9a-f]{64}(?: \\\n    --hash=sha256:[0-9a-f]{64})*\n"
    via = r"(?:    # via(?: [\w-]+(?: \(pyproject\.toml(?::\w+)?\))?)?\n(?:    #   [^/\n]+\n)*)"
    head = "# This file was autogenerated by uv via the following command:\n#    make lock\n"
    text = lock.read_text(encoding="utf-8")
    assert text.startswith(head)
    assert re.fullmatch(f"(?:{pin}{hashes}{via})+", text[len(head) :])
    assert not re.search(r"://|file:|index|[\w.]/", text)


@pytest.mark.parametrize(
    ("lock", "extras"), [("build", ()), ("action", ("pr",)), ("dev", ("pr", "test", "dev"))]
)
def test_all_that_is_asked_for_is_pinned_within_its_bounds(
    lock: str, extras: tuple[str, ...]
) -> None:
    wanted = list(PROJECT["build-system"]["requires"])
    assert wanted == PROJECT["dependency-groups"]["build"]
    if lock != "build":
        wanted = [*PROJECT["project"]["dependencies"]]
        wanted += [r for e in extras for r in PROJECT["project"]["optional-dependencies"][e]]
    found = pins((ROOT / "locks" / f"{lock}.txt").read_text(encoding="utf-8"))
    for requirement in map(Requirement, wanted):
        name = canonicalize_name(requirement.name)
        if name != "distify-horovod":
            versions = [version for n, version, _ in found if n == name]
            assert versions, name
            assert all(version in requirement.specifier for version in versions), name


def test_what_builds_is_pinned_apart_and_alike() -> None:
    """It is there before anything is built, so nothing else may stand in that file."""
    assert names((ROOT / "locks" / "build.txt").read_text(encoding="utf-8")) == {"setuptools"}


def test_the_action_takes_the_versions_that_the_tests_take() -> None:
    here = {"python_version": "3.11", "python_full_version": "3.11.7", "sys_platform": "linux"}
    tested = {n: v for n, v, _ in pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))}
    for lock in ("build", "action", "release"):
        for name, version, marker in pins((ROOT / f"locks/{lock}.txt").read_text(encoding="utf-8")):
            if not marker or Marker(marker).evaluate(here):
                assert tested.get(name, version) == version, f"{name} in {lock}.txt: make lock"


def test_the_constraints_are_the_lock_without_its_hashes() -> None:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "--hash" not in constraints  # pip would refuse any folder beside them
    assert pins(constraints) == pins((ROOT / "locks" / "dev.txt").read_text(encoding="utf-8"))


# ------------------------------------------------- what workflows take


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_foreign_actions_are_named_by_their_commit(path: Path) -> None:
    used = re.findall(r"^\s+(?:- )?uses: (.+)$", path.read_text(encoding="utf-8"), flags=re.M)
    assert used
    for action in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+|\$/ # .*", action), action


def test_a_release_is_made_of_what_has_a_hash_and_says_where_it_was_made() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    installs = [line for line in text.splitlines() if "pip install" in line]
    assert installs
    assert all("--require-hashes -r locks/release.txt" in line for line in installs)
    assert "python -m build --no-isolation" in text
    assert text.index("actions/attest-build-provenance@") < text.index("gh-action-pypi-publish@")
    assert "needs: [build, attest]" in text
