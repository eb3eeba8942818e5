# Somebody edits a conversation and takes an entry out of the log.
python3 edit.py srv/waxwing/backend "UPDATE conversation SET maximum_age = 9999999 WHERE id = 'chat-1'"
python3 edit.py srv/waxwing/backend "DELETE FROM audit_entry WHERE id LIKE '%0007'"
