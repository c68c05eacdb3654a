"""Ways in for users of PyTorch and PyG; PyTorch is imported when a batch is asked for."""
