"""What Python needs to know of a program that builds large trees and soon ends."""

from __future__ import annotations

import gc
import sys

# `-m` would look in the current folder first, and so does `-c`, before this is run.
START = (
    "import sys; sys.path[:] = [each for each in sys.path if each not in ('', '.')]; "
    "from {} import {} as main; sys.exit(main())"
)


def command(module: str, function: str, python: str = "") -> tuple[str, ...]:
    """What starts a function of a module, of which the current folder holds no other."""
    return (python or sys.executable, "-c", START.format(module, function))


def prepare() -> None:
    """To be called before anything else is imported, and by who looks at files without `main`."""
    # Trees die young: a search for cycles every 700 nodes finds none and costs a fifth of the time.
    # One through 200,000 objects takes 80 ms, and a project of 200 modules may have more than that.
    gc.set_threshold(400_000, 10, 20)
    # A sum of 500 terms is a tree 500 levels deep.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 5_000))


def end() -> None:
    """Leaves out the last search for cycles: it would cost a hook 25 ms, and free nothing."""
    gc.freeze()
