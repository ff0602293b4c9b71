"""Many tables and one hub: crashes, disconnections, restored backups and copied cards cause no loss and no
duplicates."""
