"""The searches of the literature, each as it was published."""
