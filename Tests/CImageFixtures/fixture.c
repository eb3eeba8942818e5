#include <stdlib.h>
#include "internal.h"

static uint32_t scattered(uint32_t x, uint32_t y) {
    uint32_t value = x * 0x9E3779B1u ^ y * 0x85EBCA77u;
    value = (value ^ value >> 15) * 0x2C1B3C6Du;
    return value ^ value >> 12;
}

void fixture_pixel(const struct fixture *fixture, uint32_t x, uint32_t y, uint8_t *pixel) {
    uint32_t across = fixture->width > 1 ? x * 220 / (fixture->width - 1) : 0;
    uint32_t down = fixture->height > 1 ? y * 220 / (fixture->height - 1) : 0;
    uint32_t noise = fixture->noise == 0 ? 0 : scattered(x, y) % (uint32_t)(fixture->noise + 1);
    uint32_t colours[] = {across + noise, down + noise, (440 - across - down) / 2 + noise};
    for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)(colours[c] > 255 ? 255 : colours[c]);
    pixel[3] = 255;
    int is_gif = fixture->kind == fixture_gif || fixture->kind == fixture_gif_interlaced;
    if (fixture->kind == fixture_jpeg_gray) pixel[1] = pixel[2] = pixel[0];
    // A cube of six colours a side.
    if (is_gif) for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)((pixel[c] + 25) / 51 * 51);
    if (fixture->has_alpha) pixel[3] = is_gif ? (x < fixture->width / 2 ? 0 : 255) : (uint8_t)(across + 35);
}

int fixture_write(const char *path, const struct fixture *fixture) {
#ifdef WAXWING_IMAGES
    FILE *file = fopen(path, "wbx");
    if (file == NULL) return 0;
    int is_written;
    switch (fixture->kind) {
    case fixture_png:
    case fixture_png_interlaced:
    case fixture_png_deep: is_written = write_png(file, fixture); break;
    case fixture_gif:
    case fixture_gif_interlaced: is_written = write_gif(file, fixture); break;
    case fixture_webp:
    case fixture_webp_lossless: is_written = write_webp(file, fixture); break;
    case fixture_heic: is_written = write_heic(file, fixture); break;
    default: is_written = write_jpeg(file, fixture); break;
    }
    return fclose(file) == 0 && is_written;
#else
    (void)path;
    (void)fixture;
    return 0;
#endif
}

#ifndef WAXWING_IMAGES
uint8_t *fixture_read(const char *path, uint32_t *width, uint32_t *height) {
    (void)path;
    *width = *height = 0;
    return NULL;
}
#endif
