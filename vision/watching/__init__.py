"""Camera watching: motion, settling, votes over several images, and the worker process."""
