"""The way in: `distify` and `python -m distify.assistant`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Answers `--version` at once; everything else imports the command line first."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from distify import __version__

        sys.stdout.write(f"distify {__version__}\n")
        return
    from .cli import distify

    distify(prog_name="distify")


if __name__ == "__main__":
    # `python -m` would take the user's own `rich.py` for ours, and run it (promise 6).
    if sys.path[0] in ("", os.getcwd()):
        del sys.path[0]
    main()
