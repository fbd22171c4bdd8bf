"""Other libraries doing the same work, each written as its own users would write it."""
