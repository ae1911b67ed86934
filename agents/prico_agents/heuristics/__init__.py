"""Hand-written strategies, one file each."""
