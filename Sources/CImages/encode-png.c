#ifdef WAXWING_IMAGES
#include <png.h>
#include <stdlib.h>
#include "job.h"

struct png_encoder {
    png_structp png;
    png_infop info;
    jmp_buf exit;
    int file;
    uint8_t *line;
};

static void fail_png(png_structp png, png_const_charp message) {
    struct png_encoder *encoder = png_get_error_ptr(png);
    (void)message;
    longjmp(encoder->exit, waxwing_image_unwritten);
}

static void ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void put(png_structp png, png_bytep bytes, size_t length) {
    struct png_encoder *encoder = png_get_io_ptr(png);
    if (!write_all(encoder->file, bytes, length)) longjmp(encoder->exit, waxwing_image_unwritten);
}

static void put_out(png_structp png) { (void)png; }

static void write_png(struct png_encoder *encoder, struct job *job, uint32_t width, uint32_t height) {
    encoder->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, encoder, fail_png, ignore);
    if (encoder->png == NULL) longjmp(encoder->exit, waxwing_image_no_memory);
    encoder->info = png_create_info_struct(encoder->png);
    if (encoder->info == NULL) longjmp(encoder->exit, waxwing_image_no_memory);
    png_set_write_fn(encoder->png, encoder, put, put_out);
    png_set_IHDR(encoder->png, encoder->info, width, height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
                 PNG_FILTER_TYPE_BASE);
    if (job->profile != NULL) {
        png_set_iCCP(encoder->png, encoder->info, "ICC", PNG_COMPRESSION_TYPE_BASE, job->profile, (png_uint_32)job->profile_length);
    }
    png_set_compression_level(encoder->png, 4);
    png_write_info(encoder->png, encoder->info);
    for (uint32_t y = 0; y < height; y++) {
        upright_row(job, width, height, y, encoder->line, 4);
        png_write_row(encoder->png, encoder->line);
    }
    png_write_end(encoder->png, NULL);
}

static enum waxwing_image_answer write_or_fail(struct png_encoder *encoder, struct job *job, uint32_t width, uint32_t height) {
    switch (setjmp(encoder->exit)) {
    case 0: break;
    case waxwing_image_no_memory: return waxwing_image_no_memory;
    default: return waxwing_image_unwritten;
    }
    write_png(encoder, job, width, height);
    return waxwing_image_done;
}

enum waxwing_image_answer encode_png(struct job *job, uint32_t width, uint32_t height) {
    struct png_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return waxwing_image_no_memory;
    encoder->file = job->order->output;
    encoder->line = calloc(width, 4);
    enum waxwing_image_answer answer = waxwing_image_no_memory;
    if (encoder->line != NULL) {
        answer = write_or_fail(encoder, job, width, height);
        if (encoder->png != NULL) png_destroy_write_struct(&encoder->png, encoder->info == NULL ? NULL : &encoder->info);
    }
    free(encoder->line);
    free(encoder);
    return answer;
}
#endif
