#ifdef WAXWING_IMAGES
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include "internal.h"

int write_png(FILE *file, const struct fixture *fixture) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL) return 0;
    uint32_t channels = fixture->has_alpha ? 4 : 3;
    size_t depth = fixture->kind == fixture_png_deep ? 2 : 1, length = (size_t)fixture->width * channels * depth;
    // Adam7 rows are picked out of whole ones by the library, seven times.
    uint8_t *line = calloc(1, length);
    if (line == NULL || setjmp(png_jmpbuf(png))) return 0;
    png_init_io(png, file);
    png_set_compression_level(png, 1);
    png_set_IHDR(png, info, fixture->width, fixture->height, (int)depth * 8, channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB,
                 fixture->kind == fixture_png_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
                 PNG_FILTER_TYPE_BASE);
    char key[] = "Comment", value[] = "a secret place";
    png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = value};
    png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < fixture->height; y++) {
            for (uint32_t x = 0; x < fixture->width; x++) {
                uint8_t pixel[4];
                fixture_pixel(fixture, x, y, pixel);
                for (uint32_t c = 0; c < channels; c++) {
                    for (size_t byte = 0; byte < depth; byte++) line[((size_t)x * channels + c) * depth + byte] = pixel[c];
                }
            }
            png_write_row(png, line);
        }
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(line);
    return 1;
}

uint8_t *read_png(FILE *file, uint32_t *width, uint32_t *height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_stdio(&image, file)) return NULL;
    image.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = calloc(1, PNG_IMAGE_SIZE(image));
    *width = image.width;
    *height = image.height;
    if (pixels != NULL && png_image_finish_read(&image, NULL, pixels, 0, NULL)) return pixels;
    free(pixels);
    return NULL;
}
#endif
