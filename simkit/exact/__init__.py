"""Exact chances: one combat played through all its branches by the rules that fight the battles."""
