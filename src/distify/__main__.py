"""`python -m distify`, without a look at what the current folder calls its files (promise 6)."""

from __future__ import annotations

import os
import sys

if sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from distify.assistant.__main__ import main

if __name__ == "__main__":
    main()
