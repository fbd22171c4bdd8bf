"""The plan that runs, the one that comes, and how they are made beside the frames."""
