"""Benchmarks of speed: the rules core, the environments, the search and the trainers."""
