"""Rules that find what is worth a look in a capture, one subject a file."""
