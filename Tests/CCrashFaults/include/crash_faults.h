#pragma once
// Faults at write boundaries, for a test process that does them to itself: every write, sync, truncation, creation, renaming and
// removal of a file is counted, those of SQLite by a VFS, all others by the C library's names, which the executable defines
// itself. Only the thread that armed a fault is counted. No product links this. See docs/decisions/0016-crash-tests.md.

enum waxwing_fault {
    waxwing_fault_count,      // counts and does nothing
    waxwing_fault_kill,       // SIGKILL before the n-th
    waxwing_fault_torn,       // SIGKILL in the n-th write: half of its bytes are there
    waxwing_fault_full,       // from the n-th on no space is left
    waxwing_fault_io,         // from the n-th on nothing can be written
    waxwing_fault_read_only,  // from the n-th on the file system is one to be read only
};

/// Has SQLite use the VFS from now on. Answers a result code of SQLite.
int waxwing_fault_install(void);

/// Begins to count on this thread. The n-th is that of the boundaries at which the fault makes a difference: nothing is torn but a
/// write, and a sync needs no room.
void waxwing_fault_arm(enum waxwing_fault fault, long number);

void waxwing_fault_disarm(void);

/// How many boundaries were passed at which that fault makes a difference, whichever was armed.
long waxwing_fault_passed(enum waxwing_fault fault);
