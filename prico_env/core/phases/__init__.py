"""How it plays: a file a phase, each with ``begin``, ``fill_legal``, ``apply``, ``close``, ``end``.

What a phase has no use for is left out. ``fill_legal`` marks what a seat may do at a point and
returns how many choices that makes; none means that the seat has nothing to decide there, and the
engine goes on as if it had passed. The legality of a move and its effect stand in the same file, so
that they cannot drift apart.
"""
