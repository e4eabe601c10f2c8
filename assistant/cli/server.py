"""`distify server`: for editors, which start it and talk to it over its pipes."""

from __future__ import annotations

import sys

import click


@click.command(short_help="Serve editors: findings while you type, repairs, pages.")
def server() -> None:
    """Speak the Language Server Protocol on standard input and output, for an editor.

    Findings of `check` come as diagnostics while you type, repairs as quick fixes, and the page of
    a rule where the mouse rests. Your code is never run. Needs pygls: the extra `lsp`.

    \b
    Example:
      pip install 'distify-horovod[lsp]', and in the editor's settings: distify server
    """
    try:
        from ..server.serving import server as made
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        command = f"{sys.executable} -m pip install pygls"
        raise click.UsageError(f"`distify server` needs pygls: {command}") from None
    made().start_io()
