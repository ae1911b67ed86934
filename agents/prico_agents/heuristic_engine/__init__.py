"""What every hand-written player knows: what things are worth, and a quick move at every point."""
