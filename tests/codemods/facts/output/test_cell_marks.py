"""No statement is put around parts of two cells of a script."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import numpy as np
from tensorflow import keras

x, y = np.zeros((64, 4)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
ONE = """\
if hvd.rank() == 0:
    print(1)
    {}
    print(2)
"""
TWO = """\
if hvd.rank() == 0:
    print(1)
{}
if hvd.rank() == 0:
    print(2)
"""


@pytest.mark.parametrize("mark", ["# a comment", "# 3 %% of it", "#", "## %%", "# In [3]"])
def test_other_comments_divide_nothing(mark: str) -> None:
    assert migrate(f"{HEAD}print(1)\n{mark}\nprint(2)\n").after.endswith(ONE.format(mark))


@pytest.mark.parametrize("mark", ["# %%", "#%%", "# %% [markdown] text", "# In[3]:", "# In[ ]:"])
def test_a_mark_divides(mark: str) -> None:
    assert migrate(f"{HEAD}print(1)\n{mark}\nprint(2)\n").after.endswith(TWO.format(mark))


def test_marks_elsewhere_divide_nothing() -> None:
    text = f"# %% one\n{HEAD}print(1)\nprint('# %%')\nprint(2)\n# %% two\n"
    assert migrate(text).after.endswith(
        "if hvd.rank() == 0:\n    print(1)\n    print('# %%')\n    print(2)\n# %% two\n"
    )
