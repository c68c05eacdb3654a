"""What a type checker sees of graphla."""
