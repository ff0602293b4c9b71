"""What MicroPython runs when the board starts (copied to its root): the tray, or nothing where the prompt is wanted.

The host may already be greeting, and a greeting may hold the byte that interrupts: it must not, from here on.
"""

import micropython

micropython.kbd_intr(-1)
try:
    from firmware.start import run

    run()
finally:
    micropython.kbd_intr(3)  # Ctrl-C is itself again at the prompt
