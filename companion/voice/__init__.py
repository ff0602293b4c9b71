"""What can be heard: sentences through espeak-ng, short tones of our own, and twins of both that keep a record."""
