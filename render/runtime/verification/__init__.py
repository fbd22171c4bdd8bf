"""``play --verify-recording``: nodes whose commands are kept are executed all the same, and compared."""
