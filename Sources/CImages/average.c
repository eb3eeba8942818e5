#ifdef WAXWING_IMAGES
#include <string.h>
#include "job.h"

// The mean over areas, in whole numbers. Across, a source pixel is `width` units wide and a target pixel `source_width`; down likewise.
// Neither is ever wider in the target, so that a source pixel falls on two target pixels at most.

void average_prepare(struct job *job, uint32_t width, uint32_t height) {
    if (width < job->width || height < job->height) job_fail(job, waxwing_image_malformed);
    job->source_width = width;
    job->source_height = height;
    // So that 32 bits hold the sum of a row: 65,535 by 255 by 255.
    if (width > 65535 || height > 65535) job_fail(job, waxwing_image_malformed);
    job->row = job_memory(job, (size_t)job->width * (size_t)job->channels, sizeof *job->row);
    job->total = job_memory(job, (size_t)job->width * (size_t)job->channels, sizeof *job->total);
}

// Adds `weight` of a source pixel.
static inline void add(uint32_t *sum, const uint8_t *pixel, uint32_t weight, int channels) {
    if (channels == 3) {
        sum[0] += weight * pixel[0];
        sum[1] += weight * pixel[1];
        sum[2] += weight * pixel[2];
        return;
    }
    // A colour counts as much as can be seen of it.
    uint32_t seen = weight * pixel[3];
    sum[0] += seen * pixel[0];
    sum[1] += seen * pixel[1];
    sum[2] += seen * pixel[2];
    sum[3] += seen;
}

static void across(struct job *job, const uint8_t *line) {
    const uint32_t source = job->source_width, target = job->width;
    const int channels = job->channels;
    memset(job->row, 0, (size_t)target * (size_t)channels * sizeof *job->row);
    uint32_t *sum = job->row;
    uint32_t room = source;  // units that the target pixel still takes
    for (uint32_t x = 0; x < source; x++, line += channels) {
        if (room > target) {
            add(sum, line, target, channels);
            room -= target;
        } else {
            add(sum, line, room, channels);
            uint32_t rest = target - room;
            sum += channels;
            room = source - rest;
            // After the last pixel there is no rest.
            if (rest > 0) add(sum, line, rest, channels);
        }
    }
}

static void add_down(struct job *job, uint32_t weight) {
    size_t count = (size_t)job->width * (size_t)job->channels;
    for (size_t i = 0; i < count; i++) job->total[i] += (uint64_t)weight * job->row[i];
}

static void finish_target_row(struct job *job) {
    const uint64_t area = (uint64_t)job->source_width * job->source_height;
    uint8_t *out = job->pixels + (size_t)job->target_row * job->width * (size_t)job->channels;
    uint64_t *total = job->total;
    for (uint32_t x = 0; x < job->width; x++, total += job->channels, out += job->channels) {
        if (job->channels == 3) {
            for (int c = 0; c < 3; c++) out[c] = (uint8_t)((total[c] + area / 2) / area);
        } else {
            for (int c = 0; c < 3; c++) out[c] = total[3] == 0 ? 0 : (uint8_t)((total[c] + total[3] / 2) / total[3]);
            out[3] = (uint8_t)((total[3] + area / 2) / area);
        }
    }
    memset(job->total, 0, (size_t)job->width * (size_t)job->channels * sizeof *job->total);
    job->target_row++;
}

void average_row(struct job *job, const uint8_t *line) {
    if (job->source_row >= job->source_height) return;
    if (job->source_row % 16 == 0) job_check_time(job);
    across(job, line);
    // The units of this row, from where the target row that is being filled begins.
    uint64_t begin = (uint64_t)job->source_row * job->height;
    uint64_t boundary = (uint64_t)(job->target_row + 1) * job->source_height;
    uint64_t end = begin + job->height;
    if (end < boundary) {
        add_down(job, job->height);
    } else {
        add_down(job, (uint32_t)(boundary - begin));
        finish_target_row(job);
        if (end > boundary) add_down(job, (uint32_t)(end - boundary));
    }
    job->source_row++;
}
#endif
