"""What a run left behind: events that the probe wrote, what workers printed, stacks."""
