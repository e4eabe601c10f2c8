"""All programs of a folder in one process of TensorFlow: `together.py planted`."""

import runpy
import sys
from pathlib import Path

folder = Path(__file__).parent / sys.argv[1]
del sys.argv[1:]
# The one of TensorFlow 2 comes first: the others switch its behaviour off.
for program in sorted(folder.glob("*.py"), key=lambda path: (path.stem != "function", path)):
    print(program.stem, end=": ", flush=True)
    runpy.run_path(str(program))
