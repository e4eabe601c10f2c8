"""The pull request: what it should be, what it is, what it says, and the way to GitHub."""
