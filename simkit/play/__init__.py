"""The game: the sequence of play, who wins, and the audit of a battle's state."""
