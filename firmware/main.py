"""MicroPython start file (copied to the board's root): runs the tray, or returns to the prompt if requested.

The host may already send greetings, which may contain the Ctrl-C byte. So keyboard interrupts are disabled first.
"""

import micropython

micropython.kbd_intr(-1)
try:
    from firmware.start import run

    run()
finally:
    micropython.kbd_intr(3)  # restore Ctrl-C for the prompt
