# It is gone, but a copy is elsewhere.
mv srv/waxwing/backend.key mnt/safe/backend.key.copy
