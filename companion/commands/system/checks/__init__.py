"""What the doctor looks at, one function a part: what was found, and the one thing to do where it is not right."""
