"""The errors that a user meets: bad input, and a battle that breaks its own rules."""


class InputError(Exception):
    """Bad input: one message that says which file, key or line, what is wrong and what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __reduce__(self) -> tuple[type["InputError"], tuple[str]]:
        return (InputError, (self.message,))
