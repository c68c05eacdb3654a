"""Laplacians: their eigenvectors, what is drawn and clustered by these, and electrical flows."""
