"""``python -m graphla.demo``: what `graphla.measuring.demo` demonstrates, where users know it."""
