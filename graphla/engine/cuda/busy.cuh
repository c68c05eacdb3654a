// Nothing, for some ticks: the device waits, so that the host gets ahead of what is measured next.
// One thread looks at the clock.
//
// compiled: busy
#pragma once

__global__ void busy(long long ticks) {
  const long long began = clock64();
  while (clock64() - began < ticks) {}
}
