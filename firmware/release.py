"""Which firmware this is: raised with each change of what it does."""

RELEASE = "1.0"
