#ifdef WAXWING_IMAGES
#include <stdlib.h>
#include <webp/encode.h>
#include "internal.h"

static int put(const uint8_t *bytes, size_t length, const WebPPicture *picture) {
    return fwrite(bytes, 1, length, picture->custom_ptr) == length;
}

int write_webp(FILE *file, const struct fixture *fixture) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return 0;
    config.method = 0;
    config.quality = fixture->kind == fixture_webp_lossless ? 0 : 92;
    config.lossless = fixture->kind == fixture_webp_lossless;
    picture.use_argb = 1;
    picture.width = (int)fixture->width;
    picture.height = (int)fixture->height;
    picture.writer = put;
    picture.custom_ptr = file;
    if (!WebPPictureAlloc(&picture)) return 0;
    for (uint32_t y = 0; y < fixture->height; y++) {
        for (uint32_t x = 0; x < fixture->width; x++) {
            uint8_t p[4];
            fixture_pixel(fixture, x, y, p);
            picture.argb[(size_t)y * (size_t)picture.argb_stride + x]
                = (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        }
    }
    int is_written = WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    return is_written;
}
#endif
