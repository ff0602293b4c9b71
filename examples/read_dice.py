"""Read the dice in images: python examples/read_dice.py PICTURE... [--set NAME]"""

import argparse

import vision

parser = argparse.ArgumentParser()
parser.add_argument("pictures", nargs="+")
parser.add_argument("--set", default="pips", help="dice set: name or TOML file")
args = parser.parse_args()

for picture in args.pictures:
    roll = vision.read(picture, args.set)
    print(picture, roll.status)
    for die in roll.dice:
        doubt = f", uncertain: {die.doubt}" if die.doubt else ""
        print(f"  {die.kind} {die.face} ({die.confidence:.0%}{doubt})")
