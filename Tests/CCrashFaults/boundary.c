#define _GNU_SOURCE
#include "boundary.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

_Thread_local int waxwing_inside_sqlite;

static _Thread_local struct {
    int is_armed;
    enum waxwing_fault fault;
    long number;
    long passed[waxwing_boundary_memory + 1];
} state;

void waxwing_fault_arm(enum waxwing_fault fault, long number) {
    state.fault = fault;
    state.number = number;
    memset(state.passed, 0, sizeof state.passed);
    state.is_armed = 1;
}

void waxwing_fault_disarm(void) { state.is_armed = 0; }

// The last of the boundaries at which a fault makes a difference; they are in that order.
static enum waxwing_boundary last(enum waxwing_fault fault) {
    switch (fault) {
    case waxwing_fault_torn: return waxwing_boundary_write;
    case waxwing_fault_full: return waxwing_boundary_room;
    case waxwing_fault_io:
    case waxwing_fault_read_only: return waxwing_boundary_change;
    default: return waxwing_boundary_memory;
    }
}

long waxwing_fault_passed(enum waxwing_fault fault) {
    long passed = 0;
    for (int boundary = 0; boundary <= (int)last(fault); boundary++) passed += state.passed[boundary];
    return passed;
}

_Noreturn void waxwing_die(void) {
    // Nothing that runs at exit is to run: no handler, no buffer, no destructor.
    for (;;) kill(getpid(), SIGKILL);
}

enum waxwing_step waxwing_step_at(enum waxwing_boundary boundary) {
    if (!state.is_armed) return waxwing_step_go;
    state.passed[boundary]++;
    if (state.fault == waxwing_fault_count || boundary > last(state.fault)) return waxwing_step_go;
    long passed = waxwing_fault_passed(state.fault);
    if (passed < state.number) return waxwing_step_go;
    switch (state.fault) {
    case waxwing_fault_kill: waxwing_die();
    case waxwing_fault_torn: return waxwing_step_tear;
    default: return waxwing_step_fail;
    }
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
