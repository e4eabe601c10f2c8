"""What a program writes, prints, draws and reads again, and its callbacks."""
