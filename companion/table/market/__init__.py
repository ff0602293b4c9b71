"""Two clubs made of one catalogue at the screen: the market of the rules, or a draft; every pick is kept at once."""
