"""The touchscreen app: the only Kivy code. It shows what the table says and hands back what a finger chose.

Kivy reads its environment when it is first imported, so this package speaks first: no command-line arguments for Kivy,
no settings file of its own, log lines to Python's own logging, and no search for a desktop's clipboard.
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
    """Kivy looks for a desktop's cut buffer all the same, and calls it critical that a table has none."""
    return not record.getMessage().startswith("Cutbuffer")


logging.getLogger("kivy").addFilter(_is_relevant)
