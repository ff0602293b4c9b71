"""The touchscreen app and the only package that uses Kivy. It shows the state of the table and reports touches.

Kivy reads its environment variables on first import, so this package sets them before any Kivy import: no command-line
arguments, no settings file, log records to Python's `logging`, and no desktop clipboard.
"""

import logging
import os

_ENVIRONMENT = {
    "KIVY_NO_ARGS": "1",
    "KIVY_NO_CONFIG": "1",
    "KIVY_NO_FILELOG": "1",
    "KIVY_LOG_MODE": "PYTHON",
    "KIVY_CLIPBOARD": "dummy",
}

for _name, _value in _ENVIRONMENT.items():
    os.environ.setdefault(_name, _value)


def _is_relevant(record: logging.LogRecord) -> bool:
    """Filter out Kivy's critical log record about a missing desktop cut buffer; a table has none."""
    return not record.getMessage().startswith("Cutbuffer")


logging.getLogger("kivy").addFilter(_is_relevant)
