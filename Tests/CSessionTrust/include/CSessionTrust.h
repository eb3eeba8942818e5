#pragma once

// Lets URLSession on Linux trust the authority in a file, in place of the system's, from now on; it has no setting for that.
void session_trust(const char *path);
