"""What makes and checks a release: ``make release``. None of it is part of the package."""
