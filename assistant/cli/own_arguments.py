"""Where the own arguments of a program go that a command runs."""

from __future__ import annotations

import click


class RunsAProgram(click.Command):
    """Says where the program's own options go."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's; raises UsageError, with the place for options of the program's own."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            place = f"distify {self.name} SCRIPT -- {error.option_name} …"
            hint = f"The program's own arguments come after `--`: {place}"
            raise click.UsageError(f"{error.format_message()}\n{hint}", ctx) from None
