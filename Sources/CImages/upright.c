#ifdef WAXWING_IMAGES
#include <string.h>
#include "job.h"

void upright_row(const struct job *job, uint32_t width, uint32_t height, uint32_t y, uint8_t *line, int channels) {
    for (uint32_t x = 0; x < width; x++, line += channels) {
        uint32_t column = x, row = y;
        // Where the pixel is in what was stored, by the eight orientations of EXIF.
        switch (job->order->orientation) {
        case 2: column = width - 1 - x; break;
        case 3: column = width - 1 - x; row = height - 1 - y; break;
        case 4: row = height - 1 - y; break;
        case 5: column = y; row = x; break;
        case 6: column = y; row = width - 1 - x; break;
        case 7: column = height - 1 - y; row = width - 1 - x; break;
        case 8: column = height - 1 - y; row = x; break;
        default: break;
        }
        memcpy(line, job->pixels + ((size_t)row * job->width + column) * (size_t)job->channels, (size_t)channels);
    }
}
#endif
