"""The games: pure rules, standard library only. Every package in here is one game."""

from pkgutil import iter_modules


def folders() -> list[str]:
    """The folders of the games, in the order of their names; nothing of them is loaded."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)
