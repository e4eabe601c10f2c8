"""What is put on the PYTHONPATH of a verified job; nothing of distify imports it."""
