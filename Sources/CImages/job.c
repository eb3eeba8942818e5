#ifdef WAXWING_IMAGES
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "job.h"

_Noreturn void job_fail(struct job *job, enum waxwing_image_answer answer) { longjmp(job->exit, (int)answer); }

void job_check_time(struct job *job) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) job_fail(job, waxwing_image_late);
    if ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec > job->order->deadline) job_fail(job, waxwing_image_late);
}

void *job_memory(struct job *job, size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) job_fail(job, waxwing_image_no_memory);
    return memory;
}

size_t job_read(struct job *job, uint8_t *buffer, size_t length) {
    size_t filled = 0;
    while (filled < length) {
        ssize_t count = read(job->order->input, buffer + filled, length - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) job_fail(job, waxwing_image_malformed);
        if (count == 0) break;
        filled += (size_t)count;
    }
    return filled;
}

int write_all(int file, const uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        bytes += count;
        length -= (size_t)count;
    }
    return 1;
}

void job_prepare(struct job *job, int channels) {
    uint32_t width = job->order->width, height = job->order->height, longest = job->order->longest;
    uint32_t longer = width > height ? width : height;
    job->width = width;
    job->height = height;
    if (longer > longest) {
        job->width = (uint32_t)(((uint64_t)width * longest + longer / 2) / longer);
        job->height = (uint32_t)(((uint64_t)height * longest + longer / 2) / longer);
    }
    if (job->width == 0) job->width = 1;
    if (job->height == 0) job->height = 1;
    job->channels = channels;
    job->pixels = job_memory(job, (size_t)job->width * job->height, (size_t)channels);
}

void job_keep_profile(struct job *job, const uint8_t *profile, size_t length) {
    // An ICC header is of 128 bytes and says at 16 what it is for.
    if (job->profile != NULL || length < 128 || length > profile_limit || memcmp(profile + 16, "RGB ", 4) != 0) return;
    job->profile = job_memory(job, 1, length);
    memcpy(job->profile, profile, length);
    job->profile_length = length;
}

static void job_free(struct job *job) {
    switch (job->order->type) {
    case waxwing_image_jpeg: free_jpeg(job); break;
    case waxwing_image_png: free_png(job); break;
    case waxwing_image_gif: free_gif(job); break;
    case waxwing_image_webp: free_webp(job); break;
    }
    free(job->row);
    free(job->total);
    free(job->line);
    job->row = NULL;
    job->total = NULL;
    job->line = NULL;
}

// Whether anything can be seen through.
static int is_transparent(const struct job *job) {
    if (job->channels != 4) return 0;
    size_t count = (size_t)job->width * job->height;
    for (size_t i = 0; i < count; i++) {
        if (job->pixels[4 * i + 3] != 255) return 1;
    }
    return 0;
}

static enum waxwing_image_answer decode(struct job *job) {
    switch (setjmp(job->exit)) {
    case 0: break;
    case waxwing_image_late: return waxwing_image_late;
    case waxwing_image_no_memory: return waxwing_image_no_memory;
    default: return waxwing_image_malformed;
    }
    switch (job->order->type) {
    case waxwing_image_jpeg: decode_jpeg(job); break;
    case waxwing_image_png: decode_png(job); break;
    case waxwing_image_gif: decode_gif(job); break;
    case waxwing_image_webp: decode_webp(job); break;
    }
    return waxwing_image_done;
}

enum waxwing_image_answer waxwing_image_scale(const struct waxwing_image_order *order, struct waxwing_image_result *result) {
    if (order->width == 0 || order->height == 0 || order->longest == 0) return waxwing_image_malformed;
    // On the heap: what is changed after setjmp keeps its value there.
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) return waxwing_image_no_memory;
    job->order = order;
    enum waxwing_image_answer answer = decode(job);
    // What the decoder held goes before the encoder begins.
    job_free(job);
    if (answer == waxwing_image_done) {
        int is_turned = order->orientation >= 5 && order->orientation <= 8;
        result->width = is_turned ? job->height : job->width;
        result->height = is_turned ? job->width : job->height;
        result->type = is_transparent(job) ? waxwing_image_png : waxwing_image_jpeg;
        answer = result->type == waxwing_image_png ? encode_png(job, result->width, result->height)
                                                   : encode_jpeg(job, result->width, result->height);
    }
    free(job->profile);
    free(job->pixels);
    free(job);
    return answer;
}

int waxwing_image_is_available(void) { return 1; }
#endif
