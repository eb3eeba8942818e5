#pragma once
#include <setjmp.h>
#include <stddef.h>
#include "CImages.h"

enum { profile_limit = 64 << 10 };

// One image on its way. Whatever it holds is freed in one place, by whichever way it ends.
struct job {
    const struct waxwing_image_order *order;
    jmp_buf exit;  // carries an answer, which is never waxwing_image_done

    // The smaller image, upright or not yet: rows of `channels` bytes a pixel.
    uint8_t *pixels;
    uint32_t width, height;
    int channels;  // 3, or 4 where the source may have transparency

    // The averaging of rows that come from the top.
    uint32_t source_width, source_height, source_row, target_row;
    uint32_t *row;    // sums across, of one source row
    uint64_t *total;  // sums of the target row that is being filled
    uint8_t *line;    // one source row, as the decoder gives it

    // Of the source, where the output needs it for its colours to be right.
    uint8_t *profile;
    size_t profile_length;

    // The decoder's own.
    void *decoder, *decoder_info, *whole;
    size_t whole_length;
};

// Ends the job.
_Noreturn void job_fail(struct job *job, enum waxwing_image_answer answer);
// Ends the job when its time is up.
void job_check_time(struct job *job);
// Memory that the job frees at its end through the pointer it is stored in. Zeroed.
void *job_memory(struct job *job, size_t count, size_t size);
// Reads up to so many bytes; fewer at the end of the file only.
size_t job_read(struct job *job, uint8_t *buffer, size_t length);
// The size of the smaller image, and memory for it.
void job_prepare(struct job *job, int channels);
// Keeps a colour profile, if it is one of RGB and not too long.
void job_keep_profile(struct job *job, const uint8_t *profile, size_t length);

// Rows of `source_width` pixels are averaged into the smaller image; before the first, both are prepared.
void average_prepare(struct job *job, uint32_t width, uint32_t height);
void average_row(struct job *job, const uint8_t *line);

void decode_jpeg(struct job *job);
void decode_png(struct job *job);
void decode_gif(struct job *job);
void decode_webp(struct job *job);
void free_jpeg(struct job *job);
void free_png(struct job *job);
void free_gif(struct job *job);
void free_webp(struct job *job);

// Each writes the smaller image, turned upright. The answer is waxwing_image_done or what went wrong.
enum waxwing_image_answer encode_jpeg(struct job *job, uint32_t width, uint32_t height);
enum waxwing_image_answer encode_png(struct job *job, uint32_t width, uint32_t height);
// A row of the upright image, without transparency where `channels` is 3.
void upright_row(const struct job *job, uint32_t width, uint32_t height, uint32_t y, uint8_t *line, int channels);
// Writes all of it, or answers 0.
int write_all(int file, const uint8_t *bytes, size_t length);
