"""The NetworkX backend: the graph that its functions get (`converted`), and these functions, collected in `backend`.

NetworkX finds the module `graphla.doors.networkx.backend` by the entry point ``networkx.backends``.
"""
