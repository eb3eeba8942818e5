# An older copy takes the place of the store.
cp -a srv/waxwing/backend older
keyctl rotate --conversation chat-1
keyctl provision --conversation chat-3
keyctl audit checkpoint --output mnt/safe/checkpoint.new
mv srv/waxwing/backend newest
mv older srv/waxwing/backend
