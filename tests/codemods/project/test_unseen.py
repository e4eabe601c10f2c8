"""Which files make modules at run time, so that nothing of them can be followed."""

from __future__ import annotations

import pytest

from distify.codemods.project.unseen import made_at_run_time, unseen

HARMLESS = [
    "import os\n",
    'import importlib\n\nm = importlib.import_module(f"tensorflow.keras.applications.{name}")\n',
    "from importlib import import_module\n\nm = import_module('keras.applications.' + name)\n",
    "import importlib.metadata\n\n__version__ = importlib.metadata.version('pkg')\n",
    "from importlib.metadata import PackageNotFoundError, version\n\n__version__ = version('p')\n",
    "try:\n    from importlib.metadata import version  # Python 3.8\nexcept ImportError:\n"
    "    from importlib_metadata import version\n",
    "import importlib.resources\n\nwith importlib.resources.open_text('p', 'a') as f:\n    pass\n",
    "import importlib.resources as resources\n",
    "import importlib\n\nm = importlib.import_module('models.' + name)\n",  # see test_fetches
]
UNSEEN = [
    "import importlib\n\nm = importlib.import_module(name)\n",
    "import importlib\n\nm = importlib.import_module(f'{name}.models')\n",
    "import importlib\n\nm = importlib.import_module('tensorflow')\nn = importlib.import_module(x)\n",
    "import importlib\n\nimportlib.reload(models)\n",
    "import importlib as il\n\nm = il.import_module(name)\n",
    "from importlib import import_module as load\n\nm = load(name)\n",
    "from importlib import reload\n",
    "from importlib.metadata import entry_points\n",
    "from importlib.metadata import version, entry_points\n",
    "import importlib.metadata\n\nimportlib.metadata.entry_points()\n",
    "import importlib.util\n\nspec = importlib.util.spec_from_file_location('a', path)\n",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_a_version_a_file_and_modules_of_libraries_change_nothing(text: str) -> None:
    assert made_at_run_time(text) is None
    assert unseen(text) is None


@pytest.mark.parametrize("text", UNSEEN)
def test_modules_that_are_made_or_loaded_by_their_names_are_unseen(text: str) -> None:
    assert made_at_run_time(text) == "importlib"
    assert unseen(HARMLESS[1] + text) == "importlib"


@pytest.mark.parametrize("word", ["__import__", "sys.modules"])
def test_other_words_are_always_unseen(word: str) -> None:
    assert made_at_run_time(f"import importlib.resources\n{word}\n") == word


def test_a_module_may_ask_to_be_left_alone() -> None:
    assert unseen("# distify: skip-file\n") == "distify: skip-file"
    assert unseen("def __getattr__(name):\n    return 1\n") == "def __getattr__(name"
    assert made_at_run_time("def __getattr__(name):\n    return 1\n") is None
