"""How what was found is told: in a line, at its line, and by which rule a line was written."""
