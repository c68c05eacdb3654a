"""Operations and algorithms in the words that graphla and python-graphblas share, timed side by side."""
