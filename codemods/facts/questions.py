"""What the engine asks about the libraries that a program uses."""

from __future__ import annotations

from ..library import changes, effects, names, optimizers, star_imports
from ..program.core import Questions

QUESTIONS = Questions(
    effects.gives_back,
    effects.swallows,
    effects.leaves_alone,
    effects.never_returns,
    effects.iterates,
    effects.is_cell,
    effects.puts_in,
    effects.keeps_keywords,
    effects.keeps,
    effects.starts,
    effects.maps,
    effects.starts_main,
    star_imports.exports,
    changes.changed,
    changes.depends_on_maker,
    names.takes_attributes,
    optimizers.any_member,
)
