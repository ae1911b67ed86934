"""Who is stronger: tournaments that are fair, that survive bad agents, and that can go on."""
