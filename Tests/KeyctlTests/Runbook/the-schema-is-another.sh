# A newer version's store.
cp -a srv/waxwing/backend srv/waxwing/newer
python3 edit.py srv/waxwing/newer "INSERT INTO schema_migration VALUES (9999, 'later', '', 1)"
