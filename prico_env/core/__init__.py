"""The rules as compiled functions over records: everything compiled is here, and nothing else."""
