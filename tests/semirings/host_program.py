"""The CUDA text of many operators as one program for the host: g++ and a shim for the few CUDA words used."""

import struct
import subprocess
from pathlib import Path

from rendered_cases import Case

from semirings import cuda
from semirings.dtypes import DType, Number
from semirings.operators import BinaryOp, IndexUnaryOp

SHIM = """
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#define __device__
#define __forceinline__ inline
static inline float __int_as_float(int bits) { float x; std::memcpy(&x, &bits, 4); return x; }
static inline double __longlong_as_double(long long bits) { double x; std::memcpy(&x, &bits, 8); return x; }
template <class T> static T at(const char* column, long n) {
  T x;
  std::memcpy(&x, column + n * sizeof(T), sizeof(T));
  return x;
}
template <class T> static void put(char* column, long n, T x) {
  std::memcpy(column + n * sizeof(T), &x, sizeof(T));
}
"""

FORMATS = {"BOOL": "?", "INT8": "b", "INT16": "h", "INT32": "i", "INT64": "q", "FP32": "f", "FP64": "d"}
FORMATS |= {"UINT8": "B", "UINT16": "H", "UINT32": "I", "UINT64": "Q"}


def pack(column: list[Number], t: DType) -> bytes:
    return struct.pack(f"<{len(column)}{FORMATS[t.name]}", *column)


def unpack(data: bytes, count: int, t: DType) -> list[Number]:
    return list(struct.unpack_from(f"<{count}{FORMATS[t.name]}", data))


def render_struct(case: Case, name: str) -> str:
    if isinstance(case.op, BinaryOp):
        return cuda.render_binary(case.op, *case.given, case.out, name)
    if isinstance(case.op, IndexUnaryOp):
        return cuda.render_indexunary(case.op, *case.given, case.out, name)
    return cuda.render_unary(case.op, *case.given, case.out, name)


class Program:
    """The program: its text, its input, and where the results of each case lie in its output."""

    def __init__(self, cases: list[Case]) -> None:
        self.cases = cases
        self.input = bytearray()
        self.counts: list[int] = []
        self.parts = [SHIM]
        calls = [self.add(number, case) for number, case in enumerate(cases)]
        self.parts.append(self.write_main(calls))

    def add(self, number: int, case: Case) -> str:
        """Append the struct of a case and a loop over its operands; return the call of the loop."""
        rows = case.list_operands()
        offsets: list[int] = []
        for column, t in zip(zip(*rows, strict=True), case.types, strict=True):
            offsets.append(len(self.input))
            self.input += pack(list(column), t)
        self.counts.append(len(rows))
        columns = zip(offsets, case.types, strict=True)
        operands = ", ".join(f"at<{t.c}>(in + {offset}, n)" for offset, t in columns)
        self.parts.append(render_struct(case, f"S{number}"))
        self.parts.append(
            f"static void run{number}(const char* in, char* out) {{\n"
            f"  for (long n = 0; n < {len(rows)}; ++n)\n"
            f"    put<{case.out.c}>(out, n, S{number}::apply({operands}));\n}}\n"
        )
        return f"run{number}"

    def write_main(self, calls: list[str]) -> str:
        lines = ["int main() {", f"  std::vector<char> in({len(self.input)}), out({max(self.counts) * 8});"]
        lines.append("  if (fread(in.data(), 1, in.size(), stdin) != in.size()) return 1;")
        for call, case, count in zip(calls, self.cases, self.counts, strict=True):
            size = count * case.out.bits // 8
            lines.append(f"  {call}(in.data(), out.data()); fwrite(out.data(), 1, {size}, stdout);")
        return "\n".join([*lines, "}\n"])

    def run(self, folder: Path, *flags: str) -> list[list[Number]]:
        """Compile, run, and return the results of each case."""
        source, binary = folder / "operators.cpp", folder / "operators"
        source.write_text("".join(self.parts))
        command = ["g++", "-std=c++17", "-ffp-contract=off", *flags, str(source), "-o", str(binary)]
        subprocess.run(command, check=True, timeout=240)
        output = subprocess.run([str(binary)], input=bytes(self.input), check=True, capture_output=True).stdout
        return self.split(output)

    def split(self, output: bytes) -> list[list[Number]]:
        results: list[list[Number]] = []
        position = 0
        for case, count in zip(self.cases, self.counts, strict=True):
            results.append(unpack(output[position:], count, case.out))
            position += count * case.out.bits // 8
        return results
