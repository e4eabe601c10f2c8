"""Commits, one per rule; `history` puts together what the other modules make."""
