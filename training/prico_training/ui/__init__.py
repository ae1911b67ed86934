"""The table where people sit: games watched, played, explained and replayed."""
