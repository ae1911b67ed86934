"""Players that look ahead: a tree search over what a seat may know."""
