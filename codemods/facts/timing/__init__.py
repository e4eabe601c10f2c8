"""What hangs on a count of steps, and what lets it come where it came on one device."""
