"""The search for legal orders that need less memory (docs/ordering.md)."""
