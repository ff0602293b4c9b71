"""Cards on the screen: lists of them, the form of one, where they are kept. For the pages of catalogues and clubs."""
