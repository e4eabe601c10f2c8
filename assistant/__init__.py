"""Acts: finds files, reads and writes them, talks to the person."""
