// The tasks of masked dot products: each row of the mask is cut into chunks of its entries, if the row of the left
// operand has a length that this way serves. A thread owns a row, then a task.
//
// compiled: count_tasks<L, P> with L = int | long long; P = int | long long
// compiled: fill_tasks
#pragma once

#include "headers/primitives.cuh"

template <class L, class P>
struct CountTasksParameters {
  const L* lengths;
  const P* indptr;
  int rows;
  int above;
  int most;
  int chunk;
  int* parts;
};

template <class L, class P>
__global__ void count_tasks(CountTasksParameters<L, P> given) {
  for (const int r : grid_range(given.rows)) {
    const bool served = given.lengths[r] > given.above && given.lengths[r] <= given.most;
    const P entries = served ? given.indptr[r + 1] - given.indptr[r] : static_cast<P>(0);
    given.parts[r] = static_cast<int>((entries + given.chunk - 1) / given.chunk);
  }
}

struct FillTasksParameters {
  const long long* upto;
  int rows;
  int tasks;
  int* task_row;
  int* task_chunk;
};

__global__ void fill_tasks(FillTasksParameters given) {
  for (const int t : grid_range(given.tasks)) {
    const int r = row_of(given.upto, given.rows, static_cast<long long>(t));
    given.task_row[t] = r;
    given.task_chunk[t] = static_cast<int>(t - given.upto[r]);
  }
}
