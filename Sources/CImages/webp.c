#ifdef WAXWING_IMAGES
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <webp/decode.h>
#include "job.h"

// How much of the file is handed over at a time. What was read is dropped from memory behind the reader; it comes back from the
// file where it is needed again.
enum { step_length = 64 << 10 };

struct decoder {
    WebPDecoderConfig config;
    WebPIDecoder *rows;
};

static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

// What is decoded of a file: all of it, or the first frame of one that moves, which lies somewhere in the picture.
struct part {
    const uint8_t *bytes;
    size_t length;
    uint32_t left, top, width, height;
};

// The first frame of what moves, and the colour profile.
static struct part find_part(struct job *job, const uint8_t *file, size_t length) {
    struct part part = {file, length, 0, 0, job->order->width, job->order->height};
    if (length < 30 || memcmp(file + 12, "VP8X", 4) != 0) return part;
    size_t at = 12;
    for (unsigned chunks = 0; length - at >= 8; chunks++) {
        if (chunks % 256 == 0) job_check_time(job);
        const uint8_t *chunk = file + at;
        size_t size = number(chunk + 4, 4);
        if (size > length - at - 8) job_fail(job, waxwing_image_malformed);
        if (memcmp(chunk, "ICCP", 4) == 0) job_keep_profile(job, chunk + 8, size);
        if (memcmp(chunk, "ANMF", 4) == 0) {
            if (size < 16) job_fail(job, waxwing_image_malformed);
            part.bytes = chunk + 24;
            part.length = size - 16;
            part.left = 2 * number(chunk + 8, 3);
            part.top = 2 * number(chunk + 11, 3);
            part.width = 1 + number(chunk + 14, 3);
            part.height = 1 + number(chunk + 17, 3);
            return part;
        }
        if (memcmp(chunk, "VP8", 3) == 0 && chunk[3] != 'X') return part;
        at += 8 + size + (size & 1);
        if (at > length) break;
    }
    job_fail(job, waxwing_image_malformed);
}

static uint32_t scaled(uint32_t value, uint32_t to, uint32_t of) { return (uint32_t)(((uint64_t)value * to + of / 2) / of); }

// Where the part is in the smaller picture, written there directly.
static void set_output(struct job *job, WebPDecoderConfig *config, const struct part *part) {
    const struct waxwing_image_order *order = job->order;
    if (part->left + part->width > order->width || part->top + part->height > order->height) job_fail(job, waxwing_image_malformed);
    uint32_t left = scaled(part->left, job->width, order->width), top = scaled(part->top, job->height, order->height);
    uint32_t width = scaled(part->width, job->width, order->width), height = scaled(part->height, job->height, order->height);
    if (left >= job->width) left = job->width - 1;
    if (top >= job->height) top = job->height - 1;
    if (width == 0) width = 1;
    if (height == 0) height = 1;
    if (width > job->width - left) width = job->width - left;
    if (height > job->height - top) height = job->height - top;
    if (width != part->width || height != part->height) {
        config->options.use_scaling = 1;
        config->options.scaled_width = (int)width;
        config->options.scaled_height = (int)height;
    }
    size_t stride = (size_t)job->width * (size_t)job->channels;
    size_t skipped = top * stride + (size_t)left * (size_t)job->channels;
    config->output.colorspace = job->channels == 4 ? MODE_RGBA : MODE_RGB;
    config->output.is_external_memory = 1;
    config->output.u.RGBA.rgba = job->pixels + skipped;
    config->output.u.RGBA.stride = (int)stride;
    config->output.u.RGBA.size = (size_t)job->height * stride - skipped;
}

void decode_webp(struct job *job) {
    struct stat status;
    if (fstat(job->order->input, &status) != 0 || status.st_size < 20) job_fail(job, waxwing_image_malformed);
    size_t length = (size_t)status.st_size;
    uint8_t *file = mmap(NULL, length, PROT_READ, MAP_PRIVATE, job->order->input, 0);
    if (file == MAP_FAILED) job_fail(job, waxwing_image_no_memory);
    job->whole = file;
    job->whole_length = length;
    if (memcmp(file, "RIFF", 4) != 0 || memcmp(file + 8, "WEBP", 4) != 0) job_fail(job, waxwing_image_malformed);
    // The container's length is even and may leave bytes after it, which are none of the image.
    size_t said = (size_t)number(file + 4, 4) + 8;
    if (said < 20 || said > length) job_fail(job, waxwing_image_malformed);
    struct part part = find_part(job, file, said);

    struct decoder *decoder = job->decoder = job_memory(job, 1, sizeof *decoder);
    if (!WebPInitDecoderConfig(&decoder->config)) job_fail(job, waxwing_image_malformed);
    if (WebPGetFeatures(part.bytes, part.length, &decoder->config.input) != VP8_STATUS_OK) job_fail(job, waxwing_image_malformed);
    const WebPBitstreamFeatures *found = &decoder->config.input;
    if ((uint32_t)found->width != part.width || (uint32_t)found->height != part.height) job_fail(job, waxwing_image_malformed);
    int covers = part.width == job->order->width && part.height == job->order->height;
    job_prepare(job, found->has_alpha || !covers ? 4 : 3);
    set_output(job, &decoder->config, &part);
    decoder->rows = WebPIDecode(NULL, 0, &decoder->config);
    if (decoder->rows == NULL) job_fail(job, waxwing_image_no_memory);
    VP8StatusCode code = VP8_STATUS_SUSPENDED;
    for (size_t given = 0; code == VP8_STATUS_SUSPENDED && given < part.length;) {
        job_check_time(job);
        given = part.length - given > step_length ? given + step_length : part.length;
        code = WebPIUpdate(decoder->rows, part.bytes, given);
        if (madvise(file, length, MADV_DONTNEED) != 0) job_fail(job, waxwing_image_no_memory);
    }
    if (code == VP8_STATUS_OUT_OF_MEMORY) job_fail(job, waxwing_image_no_memory);
    if (code != VP8_STATUS_OK) job_fail(job, waxwing_image_malformed);
}

void free_webp(struct job *job) {
    struct decoder *decoder = job->decoder;
    if (decoder != NULL) {
        if (decoder->rows != NULL) WebPIDelete(decoder->rows);
        WebPFreeDecBuffer(&decoder->config.output);
    }
    free(decoder);
    // Nothing is to be done about a mapping that cannot be undone.
    if (job->whole != NULL) (void)munmap(job->whole, job->whole_length);
    job->decoder = NULL;
    job->whole = NULL;
}
#endif
