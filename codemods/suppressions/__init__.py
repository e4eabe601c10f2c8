"""What a person answers for: comments in the text, and which findings and places they leave."""
