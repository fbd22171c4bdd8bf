"""Benchmarks, run by ``renderwright bench NAME``; each reports ratios to a peer or a bound of the same run."""
