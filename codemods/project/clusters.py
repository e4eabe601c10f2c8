"""Modules that ask for the cluster (TF_CONFIG), where nobody can say how: A00 has to be left then.

A strategy that is taken out leaves one worker; what such a module counts would stay as it was.
"""

from __future__ import annotations

from collections.abc import Collection

from ..model import Migration, Options
from .texts import Project

WITHOUT_STRATEGY, CLUSTER = "A00", "TF_CONFIG"


def is_asked(project: Project, followed: Collection[str]) -> bool:
    """Whether one of a project's modules speaks of it, of those that aren't followed."""
    return any(CLUSTER in text for path, text in project.texts.items() if path not in followed)


def without_choice(options: Options) -> Options:
    """The options without that repair."""
    return options._replace(repair=options.repair - {WITHOUT_STRATEGY})


def without_offer(seen: Migration) -> Migration:
    """The migration that doesn't offer it."""
    return seen._replace(repairs=tuple(o for o in seen.repairs if o.code != WITHOUT_STRATEGY))
