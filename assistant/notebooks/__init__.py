"""Notebooks: their code cells as one module, and a changed module as changed cells."""
