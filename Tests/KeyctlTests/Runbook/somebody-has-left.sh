# Users, groups and processes of its own: what gpasswd and pkill do is done to them alone. One who leaves is in the store's unix
# group and runs something. `machine` says in which process they are.
cp -a /etc etc
# Without the descriptors of the test, which waits until they are closed.
python3 -c 'import os, sys; os.closerange(3, 4096); os.execvp(sys.argv[1], sys.argv[1:])' \
    unshare --mount --pid --fork --mount-proc --propagation private sh -e -c '
mount --bind etc /etc
/usr/sbin/groupadd waxwing
/usr/sbin/useradd --no-create-home --groups waxwing ben
setpriv --reuid ben --regid ben --init-groups sleep 600 &
echo > ready
exec sleep 600
' < /dev/null > unshare.log 2>&1 &
while ! test -e ready; do kill -0 $!; sleep 0.05; done
cat "/proc/$!/task/$!/children" > machine
