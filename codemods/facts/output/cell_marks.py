"""Marks that divide a script into cells, as editors run them: `# %%`; nbconvert's `# In[3]:`.

A cell is run by itself, so no statement is put around parts of two.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left

from ..facts import Facts, recorded

_MARK = re.compile(r"#\s?%%|# In\[[\d ]*\]:")


@recorded
def cell_marks(facts: Facts) -> tuple[int, ...]:
    """The lines of the marks."""
    if "%%" not in facts.source.text and "# In[" not in facts.source.text:
        return ()  # as most
    return tuple(n for n, line in enumerate(facts.source.lines, 1) if _MARK.match(line))


def in_one_cell(facts: Facts, first: ast.stmt, last: ast.stmt) -> bool:
    """Whether no mark stands between the beginnings of two statements."""
    marks = cell_marks(facts)
    return bisect_left(marks, first.lineno) == bisect_left(marks, last.lineno)
