"""The errors that a user meets: bad input, and a battle that breaks its own rules."""


class InputError(Exception):
    """Bad input: one message that says which file, key or line, what is wrong and what would be right.

    `picture` are lines that show the place, where the input is a line of its own.
    """

    def __init__(self, message: str, picture: tuple[str, ...] = ()) -> None:
        super().__init__("\n".join((message, *picture)))
        self.message = message
        self.picture = picture

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, tuple[str, ...]]]:
        return (InputError, (self.message, self.picture))
