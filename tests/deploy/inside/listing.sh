#!/bin/sh
# Runs inside a chroot: lists every file with its mode, owner, size and times, and the SHA-256 of the installed ones.
# Two equal listings mean that nothing changed in between.
find / \( -path /proc -o -path /sys -o -path /dev -o -path /srv -o -name tmp -o -path /run -o -path /var/cache -o -path /root \) -prune \
  -o -printf '%p %y %m %u:%g %s %T@ %C@ %l\n' | LC_ALL=C sort
find /etc /opt /usr/local /var/lib/tapis-vert -type f ! -path '*/root/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
