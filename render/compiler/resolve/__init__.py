"""Names bound, chains threaded, modes inferred, errors found and repaired."""
