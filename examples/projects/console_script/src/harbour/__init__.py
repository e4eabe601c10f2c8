"""Forecasts for a harbour."""

__version__ = "0.1"
