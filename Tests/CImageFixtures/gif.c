#ifdef WAXWING_IMAGES
#include <gif_lib.h>
#include <stdlib.h>
#include "internal.h"

enum { transparent = 255 };

static int put(GifFileType *gif, const GifByteType *bytes, int length) {
    return (int)fwrite(bytes, 1, (size_t)length, gif->UserData);
}

static int write_row(GifFileType *gif, const struct fixture *fixture, GifByteType *line, uint32_t y) {
    for (uint32_t x = 0; x < fixture->width; x++) {
        uint8_t pixel[4];
        fixture_pixel(fixture, x, y, pixel);
        line[x] = pixel[3] == 0 ? transparent : (GifByteType)(pixel[0] / 51 * 36 + pixel[1] / 51 * 6 + pixel[2] / 51);
    }
    return EGifPutLine(gif, line, (int)fixture->width) == GIF_OK;
}

int write_gif(FILE *file, const struct fixture *fixture) {
    static const uint32_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    int error, is_interlaced = fixture->kind == fixture_gif_interlaced;
    GifFileType *gif = EGifOpen(file, put, &error);
    ColorMapObject *map = GifMakeMapObject(256, NULL);
    GifByteType *line = calloc(fixture->width, 1);
    if (gif == NULL || map == NULL || line == NULL) return 0;
    for (int i = 0; i < 216; i++) {
        GifColorType colour = {(GifByteType)(i / 36 * 51), (GifByteType)(i / 6 % 6 * 51), (GifByteType)(i % 6 * 51)};
        map->Colors[i] = colour;
    }
    EGifSetGifVersion(gif, true);
    int is_good = EGifPutScreenDesc(gif, (int)fixture->width, (int)fixture->height, 8, 0, map) == GIF_OK;
    if (fixture->has_alpha) {
        GraphicsControlBlock control = {.TransparentColor = transparent};
        GifByteType bytes[4];
        is_good = is_good && EGifGCBToExtension(&control, bytes) == 4
            && EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, bytes) == GIF_OK;
    }
    is_good = is_good && EGifPutImageDesc(gif, 0, 0, (int)fixture->width, (int)fixture->height, is_interlaced, NULL) == GIF_OK;
    for (uint32_t pass = 0; pass < (is_interlaced ? 4u : 1u); pass++) {
        uint32_t by = is_interlaced ? step[pass] : 1;
        for (uint32_t y = is_interlaced ? first[pass] : 0; is_good && y < fixture->height; y += by) {
            is_good = write_row(gif, fixture, line, y);
        }
    }
    free(line);
    GifFreeMapObject(map);
    return EGifCloseFile(gif, &error) == GIF_OK && is_good;
}
#endif
