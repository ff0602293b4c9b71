"""The pieces that every screen is built of: text, frames, buttons, rows, badges, dice, bars and sheets.

Importing the package makes all of them known to the .kv files by their class names.
"""

from companion.app.widgets import bars, chalk, framed, marks, pieces, push, sheet, tap, text

__all__ = ["bars", "chalk", "framed", "marks", "pieces", "push", "sheet", "tap", "text"]
