"""White balance: the colour of the light, from known patches or from the dice themselves, and pictures freed of it."""

from vision.white_balance.apply import balanced
from vision.white_balance.dice import DiceLight, OneLight, Witness, from_dice, witness_colour
from vision.white_balance.light import Balance, Colour, unbalanced
from vision.white_balance.memory import LightMemory
from vision.white_balance.palette import BODY_COLOURS, INK_COLOURS, PAINT_COLOURS
from vision.white_balance.patches import Patches, from_patches, patch_colour

__all__ = [
    "BODY_COLOURS",
    "INK_COLOURS",
    "PAINT_COLOURS",
    "Balance",
    "Colour",
    "DiceLight",
    "LightMemory",
    "OneLight",
    "Patches",
    "Witness",
    "balanced",
    "from_dice",
    "from_patches",
    "patch_colour",
    "unbalanced",
    "witness_colour",
]
