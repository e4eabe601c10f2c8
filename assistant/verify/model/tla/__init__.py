"""The model as modules of TLA+, for TLC."""
