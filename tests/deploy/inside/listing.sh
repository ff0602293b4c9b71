#!/bin/sh
# Runs inside a chroot: every file of the system with its rights, owner, size, times and, where it is installed by us, its
# SHA-256. Two listings that are alike mean that nothing was changed in between.
find / \( -path /proc -o -path /sys -o -path /dev -o -path /srv -o -name tmp -o -path /run -o -path /var/cache -o -path /root \) -prune \
  -o -printf '%p %y %m %u:%g %s %T@ %C@ %l\n' | LC_ALL=C sort
find /etc /opt /usr/local /var/lib/tapis-vert -type f ! -path '*/root/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
