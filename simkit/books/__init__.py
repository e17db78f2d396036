"""The books: each game's data, and the few rules that only it has."""
