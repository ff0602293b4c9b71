"""Widgets shared by all screens: text, frames, buttons, rows, badges, dice, bars and sheets.

Importing this package registers the classes for the .kv files. `name_sheet` is not imported, because a text field opens
the window on import.
"""

from companion.app.widgets import button, components, marks, sheet, text

__all__ = ["button", "components", "marks", "sheet", "text"]
