// What a closure by levels needs beside the search: the rows of components, the arcs between them, and where the
// entries of each vertex go. A thread owns an element. A component is named by one of its vertices.
//
// compiled: look_at_vertices; hot
// compiled: look_at_arcs; hot
// compiled: pack_arcs<P> with P = int | long long; hot
// compiled: flag_first; hot
// compiled: unpack_arcs<P> with P = int | long long; hot
// compiled: place_rows; hot
// compiled: measure_entries; hot
#pragma once

#include "headers/primitives.cuh"

// Which vertices name a component, and which components have several vertices.
__global__ void look_at_vertices(const int* label, int n, bool* own, bool* several) {
  for (const int v : grid_range(n)) {
    own[v] = label[v] == v;
    if (!own[v]) several[label[v]] = true;
  }
}

// Which arcs lead to another component, and which vertices have a loop.
__global__ void look_at_arcs(
    const int* tails, const int* heads, const int* label, long long arcs, bool* between, bool* looped) {
  for (const long long k : grid_range(arcs)) {
    between[k] = label[tails[k]] != label[heads[k]];
    if (tails[k] == heads[k]) looped[tails[k]] = true;
  }
}

// Some arcs as keys, which sort by the component of the tail and then by that of the head; and turned.
template <class P>
__global__ void pack_arcs(const P* places, const int* tails, const int* heads, const int* label, long long many,
                          long long* keys, long long* turned) {
  for (const long long i : grid_range(many)) {
    const long long tail = label[tails[places[i]]], head = label[heads[places[i]]];
    keys[i] = tail << 32 | head;
    turned[i] = head << 32 | tail;
  }
}

// Which sorted keys differ from the one before.
__global__ void flag_first(const long long* keys, long long many, bool* first) {
  for (const long long i : grid_range(many)) first[i] = i == 0 || keys[i] != keys[i - 1];
}

// The arcs of some keys.
template <class P>
__global__ void unpack_arcs(const P* places, const long long* keys, long long many, int* tails, int* heads) {
  for (const long long i : grid_range(many)) {
    tails[i] = static_cast<int>(keys[places[i]] >> 32);
    heads[i] = static_cast<int>(keys[places[i]]);
  }
}

// The rows and the levels of the components.
__global__ void place_rows(const int* names, const int* levels, int many, int* row, int* held) {
  for (const int i : grid_range(many)) {
    row[names[i]] = i;
    held[i] = levels[names[i]];
  }
}

// Whether each vertex reaches itself, and how many it reaches.
__global__ void measure_entries(const int* label, const int* row, const long long* counts, const bool* several,
                                const bool* looped, bool reflexive, int n, bool* itself, long long* lengths) {
  for (const int v : grid_range(n)) {
    itself[v] = reflexive || looped[v] || several[label[v]];
    lengths[v] = counts[row[label[v]]] - !itself[v];
  }
}
