"""Checks of a bound graph; one topic a file."""
