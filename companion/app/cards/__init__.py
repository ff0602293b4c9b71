"""Cards on the screen: lists, card rows and their storage, for the pages of catalogues and clubs."""
