#define _GNU_SOURCE
#include "boundary.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

_Thread_local int waxwing_inside_sqlite;

static _Thread_local struct {
    int is_armed;
    enum waxwing_fault fault;
    long number, passed;
} state;

void waxwing_fault_arm(enum waxwing_fault fault, long number) {
    state.fault = fault;
    state.number = number;
    state.passed = 0;
    state.is_armed = 1;
}

long waxwing_fault_disarm(void) {
    state.is_armed = 0;
    return state.passed;
}

_Noreturn void waxwing_die(void) {
    // Nothing that runs at exit is to run: no handler, no buffer, no destructor.
    for (;;) kill(getpid(), SIGKILL);
}

enum waxwing_step waxwing_step_at(enum waxwing_boundary boundary) {
    if (!state.is_armed) return waxwing_step_go;
    long passed = ++state.passed;
    switch (state.fault) {
    case waxwing_fault_count: return waxwing_step_go;
    case waxwing_fault_kill:
        if (passed == state.number) waxwing_die();
        return waxwing_step_go;
    case waxwing_fault_torn:
        if (passed != state.number) return waxwing_step_go;
        if (boundary == waxwing_boundary_write) return waxwing_step_tear;
        waxwing_die();
    case waxwing_fault_full:
        return passed >= state.number && boundary <= waxwing_boundary_room ? waxwing_step_fail : waxwing_step_go;
    case waxwing_fault_io:
    case waxwing_fault_read_only:
        return passed >= state.number && boundary <= waxwing_boundary_change ? waxwing_step_fail : waxwing_step_go;
    }
    return waxwing_step_go;
}

int waxwing_fault_errno(void) {
    if (!state.is_armed) return 0;
    switch (state.fault) {
    case waxwing_fault_full: return ENOSPC;
    case waxwing_fault_io: return EIO;
    case waxwing_fault_read_only: return EROFS;
    default: return 0;
    }
}
