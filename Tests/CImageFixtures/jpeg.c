#ifdef WAXWING_IMAGES
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include "internal.h"

// A scan for each colour, none of them progressive.
static const jpeg_scan_info scans[] = {
    {1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0},
};

static void write_markers(struct jpeg_compress_struct *image, int orientation) {
    static const char comment[] = "a secret place";
    if (orientation != 0) {
        uint8_t exif[] = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0";
        exif[25] = (uint8_t)orientation;
        jpeg_write_marker(image, JPEG_APP0 + 1, exif, sizeof exif - 1);
    }
    jpeg_write_marker(image, JPEG_COM, (const JOCTET *)comment, sizeof comment - 1);
}

int write_jpeg(FILE *file, const struct fixture *fixture) {
    struct jpeg_compress_struct image;
    struct jpeg_error_mgr errors;  // The standard one ends the process: a fixture that cannot be written is no test.
    image.err = jpeg_std_error(&errors);
    jpeg_create_compress(&image);
    jpeg_stdio_dest(&image, file);
    int channels = fixture->kind == fixture_jpeg_gray ? 1 : fixture->kind == fixture_jpeg_inks ? 4 : 3;
    image.image_width = fixture->width;
    image.image_height = fixture->height;
    image.input_components = channels;
    image.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&image);
    jpeg_set_quality(&image, 92, TRUE);
    if (fixture->kind == fixture_jpeg_progressive) jpeg_simple_progression(&image);
    if (fixture->kind == fixture_jpeg_scans) {
        image.scan_info = scans;
        image.num_scans = 3;
    }
    jpeg_start_compress(&image, TRUE);
    write_markers(&image, fixture->orientation);
    if (fixture->profile_length >= 128) {
        uint8_t *profile = calloc(1, (size_t)fixture->profile_length);
        if (profile == NULL) return 0;
        memset(profile, 'p', (size_t)fixture->profile_length);
        memcpy(profile + 16, "RGB ", 4);
        jpeg_write_icc_profile(&image, profile, (unsigned)fixture->profile_length);
        free(profile);
    }
    uint8_t *line = calloc(fixture->width, 4);
    for (uint32_t y = 0; line != NULL && y < fixture->height; y++) {
        for (uint32_t x = 0; x < fixture->width; x++) {
            uint8_t pixel[4];
            fixture_pixel(fixture, x, y, pixel);
            // Adobe's inks are inverted: light that passes, and no black here.
            if (channels == 4) pixel[3] = 255;
            memcpy(line + (size_t)x * (size_t)channels, pixel, (size_t)channels);
        }
        JSAMPROW row = line;
        jpeg_write_scanlines(&image, &row, 1);
    }
    free(line);
    jpeg_finish_compress(&image);
    jpeg_destroy_compress(&image);
    return line != NULL;
}

static uint8_t *read_jpeg(FILE *file, uint32_t *width, uint32_t *height) {
    struct jpeg_decompress_struct image;
    struct jpeg_error_mgr errors;
    image.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&image);
    jpeg_stdio_src(&image, file);
    jpeg_read_header(&image, TRUE);
    image.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&image);
    *width = image.output_width;
    *height = image.output_height;
    uint8_t *pixels = calloc((size_t)*width * *height, 4);
    while (pixels != NULL && image.output_scanline < image.output_height) {
        JSAMPROW row = pixels + (size_t)image.output_scanline * *width * 4;
        jpeg_read_scanlines(&image, &row, 1);
    }
    jpeg_destroy_decompress(&image);
    return pixels;
}

uint8_t *read_png(FILE *file, uint32_t *width, uint32_t *height);

uint8_t *fixture_read(const char *path, uint32_t *width, uint32_t *height) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    int first = getc(file);
    rewind(file);
    uint8_t *pixels = first == 0xFF ? read_jpeg(file, width, height) : read_png(file, width, height);
    fclose(file);
    return pixels;
}
#endif
