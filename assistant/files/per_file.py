"""What the settings take away from single files: `per-file-ignores`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import config

if TYPE_CHECKING:
    from distify.codemods.model import Options


def options_of(path: str, options: Options) -> Options:
    """The options of a folder, as they are for one file of it; standard input has no name."""
    settings = config.settings(os.path.dirname(path)) if path else config.Settings()
    if not settings.per_file:
        return options
    from .gitignore import names

    base = os.path.dirname(settings.path)
    named = (codes for pattern, codes in settings.per_file if names(base, [pattern], path))
    return without(options, {code for codes in named for code in codes})


def without(options: Options, codes: Iterable[str]) -> Options:
    """The options without the findings and the rules of these codes."""
    from .. import codemods

    rules = {rule.code for rule in codemods.rules()}
    return options._replace(
        ignore=options.ignore | (rules & set(codes)), suppressed=options.suppressed | set(codes)
    )
