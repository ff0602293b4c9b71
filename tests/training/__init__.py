"""The training: batches, losses and a short run. Needs the extra `train`; the suite `training` sets it up."""
