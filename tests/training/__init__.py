"""Tests of the training: batches, losses and a short run. They need the extra `train`; suite `training` installs it."""
