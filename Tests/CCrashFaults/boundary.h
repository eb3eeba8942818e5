#pragma once
// What the VFS and the C library's names have in common.
#include "crash_faults.h"

enum waxwing_step {
    waxwing_step_go,
    waxwing_step_tear,  // do half of it and call waxwing_die
    waxwing_step_fail,
};

/// What a boundary is: some can be torn, some fail where others do not.
enum waxwing_boundary {
    waxwing_boundary_write,   // bytes: can be torn, can fail
    waxwing_boundary_room,    // needs room, or may: can fail
    waxwing_boundary_change,  // needs none: fails where nothing can be written
    waxwing_boundary_memory,  // between stores to mapped memory: can only be the last
};

enum waxwing_step waxwing_step_at(enum waxwing_boundary boundary);

/// The error number of the fault; 0 when none is armed that fails.
int waxwing_fault_errno(void);

_Noreturn void waxwing_die(void);

/// Above 0 while SQLite's own calls are made, which the VFS counts.
extern _Thread_local int waxwing_inside_sqlite;
