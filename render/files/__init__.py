"""Reading and writing of files with limits. Knows nothing of the rest of the package."""
