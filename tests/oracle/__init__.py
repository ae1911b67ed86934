"""The slow, obvious rules: our oracle. Written from `rules.md`, never from the kernels."""
