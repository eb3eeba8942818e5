#pragma once
#include <stddef.h>
#include <stdint.h>

/// Counts what is allocated from here on, by whoever allocates in this process.
void fuzz_meter_begin(void);

/// Ends the counting.
/// - Returns: the most bytes that were allocated and not yet freed at any one time since it began.
size_t fuzz_meter_end(void);

/// Allocates so many bytes and frees them, which no compiler takes away.
void fuzz_meter_plant(size_t byte_count);

/// libFuzzer's entry for programs that have a main of their own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*once)(const uint8_t *data, size_t count));
