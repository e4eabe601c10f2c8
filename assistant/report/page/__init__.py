"""The report as one page for a browser: it opens offline, runs nothing and loads nothing."""
