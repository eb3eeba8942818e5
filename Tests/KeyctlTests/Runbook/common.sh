# What every recipe of docs/operations.md begins with: a backend with an anchor and an audit key elsewhere, a phone with two
# conversations, and a checkpoint and a backup of yesterday.
mkdir -p -m 700 srv mnt
mkdir -m 700 srv/waxwing mnt/safe mnt/safe/anchors
keyctl init --role sealer --key-file srv/waxwing/backend.key --anchor mnt/safe/anchors/backend --audit-key mnt/safe/audit.key
keyctl init --store srv/waxwing/phone --role device --key-file srv/waxwing/phone.key
keyctl device new --store srv/waxwing/phone --name "Anna's phone" | keyctl device enroll > id
for name in chat-1 chat-2; do keyctl provision --conversation $name --device "$(cat id)"; done
keyctl bundle --device "$(cat id)" | keyctl accept --store srv/waxwing/phone > accepted
for seq in $(sed 's/.* seq \([0-9]*\) .*/\1/' accepted); do keyctl bundle ack --device "$(cat id)" --seq "$seq"; done
keyctl audit checkpoint --output mnt/safe/checkpoint.old
keyctl backup --backup-key-file mnt/safe/backup.key mnt/safe/backend.old.backup
