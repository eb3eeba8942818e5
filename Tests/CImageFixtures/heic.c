#include <stdlib.h>
#include "internal.h"

// The boxes that a photo begins with, and two megabytes that no decoder would make anything of: nothing here decodes it.
enum { content_length = 2 << 20 };

static void put(FILE *file, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) putc((int)(value >> shift & 255), file);
}

static void begin_box(FILE *file, uint32_t length, const char *name) {
    put(file, length);
    fwrite(name, 1, 4, file);
}

int write_heic(FILE *file, const struct fixture *fixture) {
    begin_box(file, 24, "ftyp");
    fwrite("heic\0\0\0\0mif1heic", 1, 16, file);
    begin_box(file, 48, "meta");
    put(file, 0);
    begin_box(file, 36, "iprp");
    begin_box(file, 28, "ipco");
    begin_box(file, 20, "ispe");
    put(file, 0);
    put(file, fixture->width);
    put(file, fixture->height);
    begin_box(file, 8 + content_length, "mdat");
    for (int i = 0; i < content_length; i++) putc(i * 7 & 255, file);
    return !ferror(file);
}
