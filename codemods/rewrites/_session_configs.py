"""How the configuration of a session is written, also where there is none yet (D401)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, FoldCall, Insert, Name, SetArgument
from ..facts import Facts
from ..facts.sessions.session_configurations import SessionConfig, configs
from ..facts.training.pattern import is_distributed, runs_graph
from ..library.tensorflow_names import CONFIG
from ._new_code import fresh, hvd, member, spell

GROW = "{config}.gpu_options.allow_growth = True\n"
PIN = """\
{config}.gpu_options.visible_device_list = str({hvd}.local_rank())
"""
MAKE = "{config} = {made}()\n"
RUN_CONFIG = "estimator.RunConfig"
HOLDER = "{made}({name}={config})"


def session_configs(facts: Facts) -> Iterator[At]:
    """Where a configuration is made, or where the session is that has none; each place once."""
    if not runs_graph(facts) or is_distributed(facts):
        return
    places = {one.made or one.session: one for one in configs(facts).found}
    renews = any(one.made is not None and one.name is None for one in places.values())
    made: list[ast.stmt] = []
    for one in places.values():
        statement = facts.statement(one.session)
        is_there = not renews and any(facts.comes_before(each, statement) for each in made)
        made += [statement] if one.made is None else []
        yield from edits(facts, one, is_there)


def edits(facts: Facts, one: SessionConfig, is_there: bool) -> Iterator[At]:
    """What becomes of one configuration; a session that has none may get one that is there."""
    config = one.name or fresh(facts, "config")
    pin = (PIN if one.grows else GROW + PIN).format(config=config, hvd=hvd(facts))
    if one.made is None:
        made = MAKE.format(config=config, made=member(facts, CONFIG))
        if not is_there:
            yield At(facts.statement(one.session), Insert(before=made + pin))
        yield At(one.session, SetArgument(one.argument, given(facts, one, config), one.position))
        yield At(one.session, FoldCall(one.argument, one.position))
    elif one.name is None:
        yield At(one.made, Name(config, pin))
    else:
        yield At(facts.statement(one.made), Insert(after=pin))


def given(facts: Facts, one: SessionConfig, config: str) -> str:
    """The configuration, or what creates a session with it."""
    if not one.through:
        return config
    name = "session_config" if one.through == RUN_CONFIG else "config"
    made = spell(facts, f"tensorflow.{RUN_CONFIG}") if one.through == RUN_CONFIG else None
    return HOLDER.format(made=made or member(facts, one.through), name=name, config=config)
