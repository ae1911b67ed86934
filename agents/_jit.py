"""The decorator for compiled players."""

from pathlib import Path

from prico_env.kernels import kernels_in

kernel = kernels_in(Path(__file__).parent)
"""Compiles a function of this package; its cache follows every file of the package."""
