"""What a series of commits is made of; `assistant/history.py` puts it together."""
