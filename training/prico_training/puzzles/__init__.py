"""Positions whose best action is known: what they are, how they are made, and who finds it."""

from prico_training.puzzles.agreement import Agreement, ask_agent
from prico_training.puzzles.puzzle import Puzzle, PuzzleError, read_puzzles

__all__ = ["Agreement", "Puzzle", "PuzzleError", "ask_agent", "read_puzzles"]
