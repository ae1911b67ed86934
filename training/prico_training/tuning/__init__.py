"""`prico tune`: the weights of a compiled agent, tuned by play."""
