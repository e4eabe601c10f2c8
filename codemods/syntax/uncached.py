"""fissix keeps its grammar in the person's cache; where none can be written, it is made anew.

A home that can't be written (a container, a service, a full disk) is no reason to stumble.
"""

from __future__ import annotations

from typing import Any

import fissix
from fissix.pgen2 import driver, pgen


def load_grammar(path: str = "Grammar.txt", *options: Any, **more: Any) -> Any:
    """The grammar in a file, from the cache where there is one."""
    try:
        return fissix.load_grammar(path, *options, **more)
    except OSError:
        return pgen.generate_grammar(path)


def take_no_cache_for_granted() -> None:
    """To be called before the first import of a module that holds a grammar."""
    driver.load_grammar = load_grammar
