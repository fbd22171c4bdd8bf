"""Measurements, run by ``renderwright bench NAME``; each reports ratios against a peer or a bound of the same run."""
