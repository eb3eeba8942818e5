// The names of the C library that hand out memory, as the executable defines them: the linker has them asked before the library's,
// for shared libraries too.
#include "fuzz_meter.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static int is_on;
static ptrdiff_t live, peak;

static void add(ptrdiff_t byte_count) {
    live += byte_count;
    if (live > peak) peak = live;
}

void fuzz_meter_begin(void) {
    live = peak = 0;
    is_on = 1;
}

size_t fuzz_meter_end(void) {
    is_on = 0;
    return (size_t)peak;
}

void fuzz_meter_plant(size_t byte_count) {
    void *volatile block = malloc(byte_count);
    free(block);
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static void *noted(void *block) {
    if (is_on && block) add((ptrdiff_t)malloc_usable_size(block));
    return block;
}

void *malloc(size_t byte_count) { return noted(__libc_malloc(byte_count)); }

void *calloc(size_t count, size_t byte_count) { return noted(__libc_calloc(count, byte_count)); }

void *memalign(size_t alignment, size_t byte_count) { return noted(__libc_memalign(alignment, byte_count)); }

void *aligned_alloc(size_t alignment, size_t byte_count) { return memalign(alignment, byte_count); }

int posix_memalign(void **block, size_t alignment, size_t byte_count) {
    void *found = memalign(alignment, byte_count);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}

void *realloc(void *block, size_t byte_count) {
    // For as long as it takes both may be there.
    ptrdiff_t former = is_on && block ? (ptrdiff_t)malloc_usable_size(block) : 0;
    void *moved = noted(__libc_realloc(block, byte_count));
    if (moved || byte_count == 0) live -= former;
    return moved;
}

void free(void *block) {
    if (is_on && block) live -= (ptrdiff_t)malloc_usable_size(block);
    __libc_free(block);
}
