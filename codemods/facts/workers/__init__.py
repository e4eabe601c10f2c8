"""What a program of many workers asks of all of them: collectives, and the ways that lead there."""
