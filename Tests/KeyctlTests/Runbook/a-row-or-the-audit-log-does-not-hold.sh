# Somebody edits a conversation and takes an entry out of the log.
sqlite3 srv/waxwing/backend/*/store.sqlite "UPDATE conversation SET maximum_age = 9999999 WHERE id = 'chat-1'"
sqlite3 srv/waxwing/backend/*/store.sqlite "DELETE FROM audit_entry WHERE id LIKE '%0007'"
