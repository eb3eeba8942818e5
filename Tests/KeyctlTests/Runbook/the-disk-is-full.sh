# The folder becomes a small file system of its own, filled by a log.
mv srv/waxwing aside
mkdir srv/waxwing
mount -t tmpfs -o size=600k,mode=700 tmpfs srv/waxwing
cp -a aside/. srv/waxwing/
mkdir srv/waxwing/log
dd if=/dev/zero of=srv/waxwing/log/old bs=1k 2> dd.output || true
