# A process stays in a read transaction while a key is erased, until somebody ends it, or for a minute.
cat > reader.py <<'P'
import glob, os, signal, sqlite3
database = sqlite3.connect(glob.glob("srv/waxwing/backend/*/store.sqlite")[0], isolation_level=None)
database.execute("BEGIN")
database.execute("SELECT count(*) FROM conversation").fetchone()
open("reading", "w").close()
signal.alarm(60)
signal.pause()
P
python3 -c 'import subprocess as s; s.Popen(["python3", "reader.py"], close_fds=True, stdin=s.DEVNULL, stdout=s.DEVNULL, stderr=s.DEVNULL)'
until [ -e reading ]; do :; done
keyctl rotate --conversation chat-1
keyctl status | grep -q '^erasure pending$'
