"""Many processes: communicators over MPI, with NCCL for arrays of GPUs. A world imports mpi4py, nothing before it."""
