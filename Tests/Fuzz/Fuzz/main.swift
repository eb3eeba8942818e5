import Glibc

exit(try Program.run())
