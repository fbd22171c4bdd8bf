"""``framewright bench quality``: how near shadows and image-based light are to references made by brute force."""

from rich.console import Console


def run(console: Console) -> None:
    """Print the tables."""
    from benchmarks.quality.tables import run

    run(console)
