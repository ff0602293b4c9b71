"""Every screen in every size and both languages, through the real app: pictures, and the automatic look at each."""
