"""Many tables and one hub: nothing is lost and nothing doubled, whatever dies, is cut off, put back or copied."""
