"""Tests of the documents: links, commands, examples, the public Python API and the site."""
