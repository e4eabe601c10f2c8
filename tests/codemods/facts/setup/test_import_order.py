"""Where a new import belongs among the others."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.setup.import_places import sorted_place


def place(text: str, module: str = "horovod.tensorflow") -> tuple[str, bool] | None:
    """Beside which import, and whether before it, in a text whose import of TensorFlow is known."""
    facts = Facts.of(text)
    beside = next(
        s for s in facts.module.body if "tensorflow" in ast.unparse(s) or "os" in ast.unparse(s)
    )
    found = sorted_place(facts, module, beside)
    return None if found is None else (ast.unparse(found[0]), found[1])


PLACES = {
    "import tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy as np\nimport tensorflow as tf": ("import numpy as np", True),
    "import gym\nimport numpy as np\nimport tensorflow as tf": ("import numpy as np", True),
    "import gym\nimport tensorflow as tf\nfrom a import b": ("import tensorflow as tf", True),
    "from tensorflow import keras": ("from tensorflow import keras", True),
    "import tensorflow as tf\nfrom .a import b": ("import tensorflow as tf", True),
    "import Gym\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import gym\n# why\nimport tensorflow as tf": ("import gym", False),
    "# why\nimport tensorflow as tf": None,
    "# why\nimport numpy\nimport tensorflow as tf": None,
    "import tensorflow as tf\nimport numpy as np": None,
    "import os\nimport tensorflow as tf": None,
    "import a, gym\nimport tensorflow as tf": None,
    "from a import b\nimport tensorflow as tf": None,
    "import os\n\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy\n\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy\na = 1\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy; import tensorflow as tf": ("import tensorflow as tf", True),
    "if a:\n    import tensorflow as tf": None,
    "try:\n    import tensorflow as tf\nexcept E:\n    pass": None,
}


@pytest.mark.parametrize("text", [text for text in PLACES if not text.startswith("import os")])
def test_a_new_import_goes_to_its_sorted_place(text: str) -> None:
    assert place(text) == PLACES[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os", ("import os", False)),
        ("import os\nimport sys", ("import sys", True)),
        ("import json\nimport os\nfrom a import b", None),
        (
            "import json\nimport os\nfrom collections import deque",
            ("from collections import deque", True),
        ),
    ],
)
def test_a_module_of_the_standard_library_goes_among_its_like(
    text: str, expected: tuple[str, bool] | None
) -> None:
    assert place(text, "random") == expected


def test_behind_the_last_one() -> None:
    assert place("import os", "zlib") == ("import os", False)
    assert place("from a import b\nfrom os import c", "zlib") is None
