"""Rewrites: facts decide where, a Bowler query chain edits."""
