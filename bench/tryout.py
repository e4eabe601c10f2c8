"""What the page that tries distify out loads, put beside it: Python for the browser, and distify.

It is all served from the site itself. Python comes from npm, as `docs/site/package-lock.json` pins
it; distify and what it imports come from the environment that builds the site, which
`locks/action.txt` pins.
"""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "docs" / "site"
PYODIDE = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
ROOMS = {"distify": "src/distify", "distify/codemods": "codemods", "distify/assistant": "assistant"}
# What `distify check` imports: pure Python, all of it.
NEEDED = ("appdirs", "attrs", "bowler", "click", "fissix", "moreorless")
# What acts elsewhere than on one script: no command of the page comes to it.
LEFT_OUT = tuple(
    f"distify/assistant/{room}/" for room in ("git", "pull", "server", "verify", "walk")
)
MOMENT = (1980, 1, 1, 0, 0, 0)  # the same archive from the same files


def lay(folder: Path) -> None:
    """Fills a folder with all of it; npm is asked for what isn't there yet."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("tryout.js", "worker.mjs", "tried.py"):
        shutil.copyfile(SOURCES / name, folder / name)
    for name in PYODIDE:
        shutil.copyfile(fetched() / "node_modules" / "pyodide" / name, folder / name)
    bundle(folder / "distify.zip")


def fetched() -> Path:
    """Where npm puts what is pinned."""
    folder, lock = ROOT / "build" / "npm", "package-lock.json"
    pinned = (SOURCES / lock).read_bytes()
    kept = folder / lock
    if not kept.exists() or kept.read_bytes() != pinned or not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SOURCES / "package.json", folder / "package.json")
        kept.write_bytes(pinned)
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "ci", *quiet], cwd=folder, check=True)
    return folder


def bundle(path: Path) -> None:
    """Writes the archive of everything that is imported."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in sorted(files()):
            archive.writestr(zipfile.ZipInfo(name, MOMENT), file.read_bytes(), zipfile.ZIP_DEFLATED)


def files() -> Iterator[tuple[str, Path]]:
    """Each file with the name that it is imported by: distify's own, and those that it needs."""
    for package, room in ROOMS.items():
        for file in (ROOT / room).rglob("*"):
            name = f"{package}/{file.relative_to(ROOT / room).as_posix()}"
            if file.suffix in (".py", ".md", ".txt") and not name.startswith(LEFT_OUT):
                yield name, file
    for name in NEEDED:
        for found in distribution(name).files or ():
            file = Path(str(found.locate()))
            if found.suffix in (".py", ".txt") and ".dist-info" not in str(found):
                assert ".." not in found.parts, found
                yield str(found), file


if __name__ == "__main__":
    lay(ROOT / "build" / "tryout")
