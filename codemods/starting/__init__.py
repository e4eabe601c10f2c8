"""What comes before a look: which files can train at all, and Python's collector."""
