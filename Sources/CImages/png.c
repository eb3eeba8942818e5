#ifdef WAXWING_IMAGES
#include <png.h>
#include <stdlib.h>
#include "job.h"
#if PNG_LIBPNG_VER < 10639
#error "libpng 1.6.39 is the least"
#endif

static void fail(png_structp png, png_const_charp message) {
    (void)message;
    job_fail(png_get_error_ptr(png), waxwing_image_malformed);
}

static void be_silent(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void give(png_structp png, png_bytep bytes, size_t length) {
    struct job *job = png_get_io_ptr(png);
    if (job_read(job, bytes, length) != length) job_fail(job, waxwing_image_malformed);
}

// Chunks that say nothing about how the pixels look are not even read.
static void ignore_the_rest(png_structp png) {
    static const png_byte names[] = "tEXt\0zTXt\0iTXt\0eXIf\0tIME\0pHYs\0sPLT\0hIST\0oFFs\0pCAL\0sCAL";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, 11);
    png_set_chunk_malloc_max(png, 2 * profile_limit);
}

// 8 bits a channel, of which there are three, or four where there may be transparency.
static int set_up_rows(png_structp png, png_infop info) {
    int kind = png_get_color_type(png, info);
    int has_alpha = (kind & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    png_set_expand(png);
    png_set_scale_16(png);
    if ((kind & PNG_COLOR_MASK_COLOR) == 0) png_set_gray_to_rgb(png);
    return has_alpha ? 4 : 3;
}

void decode_png(struct job *job) {
    png_structp png = job->decoder = png_create_read_struct(PNG_LIBPNG_VER_STRING, job, fail, be_silent);
    if (png == NULL) job_fail(job, waxwing_image_no_memory);
    png_infop info = job->decoder_info = png_create_info_struct(png);
    if (info == NULL) job_fail(job, waxwing_image_no_memory);
    png_set_read_fn(png, job, give);
    ignore_the_rest(png);
    png_read_info(png, info);
    uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (width != job->order->width || height != job->order->height) job_fail(job, waxwing_image_malformed);
    int channels = set_up_rows(png, info);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_channels(png, info) != channels || png_get_bit_depth(png, info) != 8) job_fail(job, waxwing_image_malformed);
    job_prepare(job, channels);
    png_charp name;
    png_bytep profile;
    png_uint_32 profile_length;
    int method;
    if (png_get_iCCP(png, info, &name, &method, &profile, &profile_length) != 0) job_keep_profile(job, profile, profile_length);
    average_prepare(job, width, height);
    size_t length = (size_t)width * (size_t)channels;
    if (passes == 1) {
        job->line = job_memory(job, 1, length);
        for (uint32_t y = 0; y < height; y++) {
            png_read_row(png, job->line, NULL);
            average_row(job, job->line);
        }
    } else {
        // Rows of seven passes: all of it has to be there before the first is whole.
        job->whole = job_memory(job, height, length);
        for (int pass = 0; pass < passes; pass++) {
            for (uint32_t y = 0; y < height; y++) {
                if (y % 16 == 0) job_check_time(job);
                png_read_row(png, (png_bytep)job->whole + y * length, NULL);
            }
        }
        for (uint32_t y = 0; y < height; y++) average_row(job, (png_bytep)job->whole + y * length);
    }
    png_read_end(png, NULL);
}

void free_png(struct job *job) {
    png_structp png = job->decoder;
    png_infop info = job->decoder_info;
    if (png != NULL) png_destroy_read_struct(&png, info == NULL ? NULL : &info, NULL);
    free(job->whole);
    job->decoder = NULL;
    job->decoder_info = NULL;
    job->whole = NULL;
}
#endif
