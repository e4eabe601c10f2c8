"""How a program names TensorFlow and Keras: every spelling of an import that people use."""

from __future__ import annotations

from .choices import Choices, Lines, inside

STYLES = (
    "tf.keras",
    "from tensorflow import keras",
    "modules",
    "classes",
    "classes as",
    "import tensorflow",
    "import tensorflow.keras as",
    "from tensorflow import keras as",
    "import keras",
    "alias",
    "tf.optimizers",
)


class Spelling:
    """Spells names as one program does, and remembers what it has to import."""

    def __init__(self, choices: Choices, style: str | None = None) -> None:
        self.choices = choices
        self.style = style or choices.one(*STYLES)
        self._imports: dict[str, None] = {}
        self._after: dict[str, None] = {}
        self._tf = "tensorflow" if self.style == "import tensorflow" else "tf"
        if self.style not in ("import tensorflow.keras as", "import keras", "classes"):
            self._need_tf()

    def _need_tf(self) -> None:
        as_ = "" if self._tf == "tensorflow" else f" as {self._tf}"
        self._imports[f"import tensorflow{as_}"] = None

    def tf(self, name: str) -> str:
        """`tf("data.Dataset")`."""
        self._need_tf()
        return f"{self._tf}.{name}"

    def module(self, line: str) -> None:
        """An import of something else."""
        self._imports[line] = None

    def keras(self, name: str) -> str:
        """`keras("optimizers.Adam")`."""
        module, _, last = name.rpartition(".")
        if self.style == "from tensorflow import keras":
            return self._through("from tensorflow import keras", f"keras.{name}")
        if self.style == "from tensorflow import keras as":
            return self._through("from tensorflow import keras as k", f"k.{name}")
        if self.style == "import tensorflow.keras as":
            return self._through("import tensorflow.keras as K", f"K.{name}")
        if self.style == "import keras":
            return self._through("import keras", f"keras.{name}")
        if self.style == "modules" and module and "." not in module:
            return self._through(f"from tensorflow.keras import {module}", name)
        if self.style == "classes" and module:
            return self._through(f"from tensorflow.keras.{module} import {last}", last)
        if self.style == "classes as" and module:
            line = f"from tensorflow.keras.{module} import {last} as {last}_"
            return self._through(line, f"{last}_")
        if self.style == "alias":
            self._need_tf()
            self._after[f"tfk = {self._tf}.keras"] = None
            return f"tfk.{name}"
        if self.style == "tf.optimizers" and module == "optimizers":
            return self.tf(name)
        return self.tf(f"keras.{name}")

    def _through(self, line: str, name: str) -> str:
        self._imports[line] = None
        return name

    def lines(self) -> Lines:
        """The imports, in an order of this program's own."""
        found = list(self._imports)
        order = self.choices.number(0, 2)
        if order == 1:
            found.sort()
        elif order == 2:
            found.reverse()
        if self.choices.chance(4) and found[0].startswith("import tensorflow"):
            message = ['print("no TensorFlow")', "raise"]
            found[:1] = [*inside("try:", found[:1]), *inside("except ImportError:", message)]
        return [*found, *self._after]
