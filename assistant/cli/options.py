"""The options that several commands have, each said once."""

from __future__ import annotations

import click

color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours; auto: on a terminal only (NO_COLOR and FORCE_COLOR are respected).",
)
text_or_json = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="For people or for programs.",
)
python = click.option(
    "--python", metavar="PATH", help="The Python that has TensorFlow and Horovod."
)
