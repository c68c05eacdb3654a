// The arcs of a vertex to vertices of higher degree: those to hubs from the front of its slot, the rest at its end.
#pragma once

template <class Offset>
struct alignas(16) Row {
  Offset hub;
  Offset rest;
  int hubs;
  int rests;
};
