"""What a run does with files: finds, reads and writes them, by the settings of their project."""
