#pragma once
#include <stdint.h>

// Images for tests, written by the libraries' own encoders row by row, and the reading of what came out.

enum fixture_kind {
    fixture_jpeg,
    fixture_jpeg_progressive,
    fixture_jpeg_scans,  // not progressive, a scan for each colour
    fixture_jpeg_gray,
    fixture_jpeg_inks,
    fixture_png,
    fixture_png_interlaced,
    fixture_png_deep,     // 16 bits
    fixture_gif,
    fixture_gif_interlaced,
    fixture_webp,
    fixture_webp_lossless,
    fixture_heic,  // what it begins with; it shows nothing
};

struct fixture {
    enum fixture_kind kind;
    uint32_t width, height;
    int has_alpha;    // more to the left is seen through more; of a GIF, the left half altogether
    int noise;        // added to each colour, at most
    int orientation;  // of a JPEG; 0: none is said
    int profile_length;  // of a JPEG's colour profile, which is made up; 0: none
};

// What a pixel is, in red, green, blue and alpha: no two corners are alike.
void fixture_pixel(const struct fixture *fixture, uint32_t x, uint32_t y, uint8_t *pixel);

// Answers whether it was written. JPEG and PNG have a comment "a secret place".
int fixture_write(const char *path, const struct fixture *fixture);

// Reads a JPEG or PNG into width by height pixels of four bytes, which the caller frees; NULL when it cannot be read.
uint8_t *fixture_read(const char *path, uint32_t *width, uint32_t *height);
