"""What usages mean to the device, and the barriers derived from them."""
