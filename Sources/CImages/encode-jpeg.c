#ifdef WAXWING_IMAGES
#include <stdio.h>
#include <stdlib.h>
#include <jerror.h>
#include <jpeglib.h>
#include "job.h"

enum { quality = 85, buffer_length = 16 << 10 };

struct jpeg_encoder {
    struct jpeg_compress_struct image;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf exit;
    int file;
    uint8_t *line;
    JOCTET buffer[buffer_length];
};

static void fail_jpeg(j_common_ptr image) {
    struct jpeg_encoder *encoder = image->client_data;
    longjmp(encoder->exit, image->err->msg_code == JERR_OUT_OF_MEMORY ? waxwing_image_no_memory : waxwing_image_unwritten);
}

static void be_silent(j_common_ptr image) { (void)image; }

static void begin(j_compress_ptr image) {
    struct jpeg_encoder *encoder = image->client_data;
    encoder->destination.next_output_byte = encoder->buffer;
    encoder->destination.free_in_buffer = buffer_length;
}

static boolean flush(j_compress_ptr image) {
    struct jpeg_encoder *encoder = image->client_data;
    if (!write_all(encoder->file, encoder->buffer, buffer_length)) longjmp(encoder->exit, waxwing_image_unwritten);
    begin(image);
    return TRUE;
}

static void end(j_compress_ptr image) {
    struct jpeg_encoder *encoder = image->client_data;
    size_t rest = buffer_length - encoder->destination.free_in_buffer;
    if (!write_all(encoder->file, encoder->buffer, rest)) longjmp(encoder->exit, waxwing_image_unwritten);
}

static void compress(struct jpeg_encoder *encoder, struct job *job, uint32_t width, uint32_t height) {
    struct jpeg_compress_struct *image = &encoder->image;
    image->dest = &encoder->destination;
    encoder->destination.init_destination = begin;
    encoder->destination.empty_output_buffer = flush;
    encoder->destination.term_destination = end;
    image->image_width = width;
    image->image_height = height;
    image->input_components = 3;
    image->in_color_space = JCS_RGB;
    jpeg_set_defaults(image);
    jpeg_set_quality(image, quality, TRUE);
    jpeg_start_compress(image, TRUE);
    if (job->profile != NULL) jpeg_write_icc_profile(image, job->profile, (unsigned)job->profile_length);
    for (uint32_t y = 0; y < height; y++) {
        upright_row(job, width, height, y, encoder->line, 3);
        JSAMPROW row = encoder->line;
        if (jpeg_write_scanlines(image, &row, 1) != 1) longjmp(encoder->exit, waxwing_image_unwritten);
    }
    jpeg_finish_compress(image);
}

static enum waxwing_image_answer compress_or_fail(struct jpeg_encoder *encoder, struct job *job, uint32_t width, uint32_t height) {
    switch (setjmp(encoder->exit)) {
    case 0: break;
    case waxwing_image_no_memory: return waxwing_image_no_memory;
    default: return waxwing_image_unwritten;
    }
    jpeg_create_compress(&encoder->image);
    compress(encoder, job, width, height);
    return waxwing_image_done;
}

enum waxwing_image_answer encode_jpeg(struct job *job, uint32_t width, uint32_t height) {
    struct jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) return waxwing_image_no_memory;
    encoder->file = job->order->output;
    encoder->line = calloc(width, 3);
    enum waxwing_image_answer answer = waxwing_image_no_memory;
    if (encoder->line != NULL) {
        encoder->image.err = jpeg_std_error(&encoder->errors);
        encoder->errors.error_exit = fail_jpeg;
        encoder->errors.output_message = be_silent;
        encoder->image.client_data = encoder;
        answer = compress_or_fail(encoder, job, width, height);
        jpeg_destroy_compress(&encoder->image);
    }
    free(encoder->line);
    free(encoder);
    return answer;
}
#endif
