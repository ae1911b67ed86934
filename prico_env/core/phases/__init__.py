"""How it plays: one file per role, each with ``begin``, ``fill_legal``, ``apply`` and ``end``.

``fill_legal`` marks what a seat may do at a point and returns how many choices that makes; none
means that the seat has nothing to decide there, and the engine goes on as if it had passed. The
legality of a move and its effect stand in the same file, so that they cannot drift apart.
"""
