"""Loops over layers, and whether the layers may be run twice in a step."""
