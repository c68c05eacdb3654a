"""First calls on the CPU compile no more functions than they do now; seconds would depend on what else runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

MOST = {
    "leiden": 0,
    "louvain": 0,
    "max_flow": 0,
    "components": 0,
    "sssp": 0,
    "shortest_path": 0,
    "k_shortest_paths": 0,
    "dominators": 0,
    "biconnected_components": 0,
    "triangles": 0,
    "clustering": 0,
    "eccentricity": 4,
    "closeness": 2,
    "core_numbers": 1,
    "truss_numbers": 0,
    "label_propagation": 0,
    "similarity": 0,
    "widest_paths": 0,
    "update": 0,
    "layout": 0,
}
"""Functions that Numba compiles for a call after those before it, its own functions of arrays among them."""
TAKES = {"max_flow": [0, 1], "sssp": [0], "dominators": [0], "label_propagation": [3], "widest_paths": [0]}
"""The vertices that these problems take."""
COUNTED = """
import json, sys
import graphla as gl
from graphla.problem import all_examples
from numba.core import event
compiled = []
class Watch(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        if function.__module__ != "numba.cpython.builtins":
            compiled.append(function.__name__)
    def on_end(self, event):
        pass
event.register("numba:compile", Watch())
G, counts = gl.generate.kronecker(10, seed=1, engine="cpu"), {}
S, examples = gl.generate.grid2d(30, 30, weights=(1, 255), engine="cpu"), all_examples()
for name in json.loads(sys.argv[1]):
    compiled.clear()
    if name in examples:
        examples[name](S)
    else:
        getattr(gl, name)(G, *json.loads(sys.argv[2]).get(name, ()))
    counts[name] = len(compiled), sorted(compiled)
print(json.dumps(counts))
"""


def test_first_calls_compile_no_more_than_they_did(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COUNTED, json.dumps(list(MOST)), json.dumps(TAKES)]
    done = subprocess.run(command, env=os.environ | {"GRAPHLA_CACHE": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert {name: found for name, found in counts.items() if found[0] > MOST[name]} == {}
    assert all(count for name, (count, _) in counts.items() if MOST[name])  # or nothing was watched
