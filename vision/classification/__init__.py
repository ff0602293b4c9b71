"""Tells what a candidate shows: faces, pips, figures, colours, in a set of dice and in the light there is."""
