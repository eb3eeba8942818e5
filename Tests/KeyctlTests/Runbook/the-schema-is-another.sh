# A newer version's store.
cp -a srv/waxwing/backend srv/waxwing/newer
sqlite3 srv/waxwing/newer/*/store.sqlite "INSERT INTO schema_migration VALUES (9999, 'later', '', 1)"
