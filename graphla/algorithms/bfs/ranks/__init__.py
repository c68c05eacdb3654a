"""A search whose vertices are spread over ranks."""
