"""Fixed suites of games that policies are compared by, and the table of what came out."""
