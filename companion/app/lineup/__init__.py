"""The line-up editor of FootClub (screen 13): a draft that knows the rules, and the widgets that show it."""
