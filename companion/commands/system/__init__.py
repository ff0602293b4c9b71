"""The machine and its data: `doctor`, `backup`, `restore`, `tray`."""
