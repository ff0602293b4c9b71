"""The pieces that every screen is built of: text, frames, buttons, rows, badges, dice, bars and sheets.

Importing the package makes all of them known to the .kv files by their class names (`naming` apart: a text field
opens the window as soon as it is imported).
"""

from companion.app.widgets import marks, pieces, push, sheet, text

__all__ = ["bars", "chalk", "choosing", "framed", "marks", "pieces", "push", "sheet", "tap", "text"]
