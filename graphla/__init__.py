"""graphla: graph problems as semiring algebra over sparse matrices, on the GPU and on the CPU."""
