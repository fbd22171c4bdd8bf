"""The flat lists of operations that the runtime lowers."""
