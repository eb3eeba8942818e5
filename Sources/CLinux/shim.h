#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/random.h>  // getrandom: not in the Glibc module
#include <sys/syscall.h> // syscall numbers: the variadic syscall() is not imported
#include <unistd.h>
