"""The widgets that every screen is built of: text, frames, buttons, rows, badges, dice, bars and sheets.

Importing the package registers them for the .kv files by their class names. `name_sheet` is not imported: a text field
opens the window on import.
"""

from companion.app.widgets import button, components, marks, sheet, text

__all__ = ["button", "components", "marks", "sheet", "text"]
