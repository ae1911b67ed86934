"""One file for each edition; a new file here is a new edition."""
