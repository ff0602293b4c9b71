"""Every screen in every size and both languages, rendered by the real app: screenshots and layout checks."""
