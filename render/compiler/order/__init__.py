"""A legal order chosen under a policy (docs/ordering.md)."""
