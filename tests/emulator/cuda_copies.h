// Asynchronous copies under the names that CUDA's C++ gives cp.async (cuda_pipeline_primitives.h).
#pragma once

EMULATOR_FREE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0, EMULATOR_AT) {
  emulator::copy_begins(to, from, static_cast<unsigned>(bytes), static_cast<unsigned>(zeros), EMULATOR_PLACE("__pipeline_memcpy_async"),
                        EMULATOR_CALLER);
}
EMULATOR_FREE void __pipeline_commit() { emulator::commit_copies(); }
EMULATOR_FREE void __pipeline_wait_prior(size_t missing, EMULATOR_AT) {
  emulator::wait_for_copies(static_cast<unsigned>(missing), EMULATOR_PLACE("__pipeline_wait_prior"), EMULATOR_CALLER);
}
