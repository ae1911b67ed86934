"""Trained players: a network, the file it is kept in, and the agent that plays it."""
