"""What a person sees of a run: curves of the loss, and who did what when."""
