"""How a program is run on workers, watched and ended."""
