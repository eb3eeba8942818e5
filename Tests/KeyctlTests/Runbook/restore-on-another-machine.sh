# After the backup keys go on, and the machine is lost.
keyctl rotate --conversation chat-1
keyctl member remove --conversation chat-2 --device "$(cat id)"
keyctl audit checkpoint --output mnt/safe/checkpoint.new
rm -r srv/waxwing/backend srv/waxwing/backend.key
