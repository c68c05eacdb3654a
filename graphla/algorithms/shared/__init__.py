"""What several problems use."""
