"""The series rules, one module a chapter: a rule is a method that opens its docstring with its number."""
