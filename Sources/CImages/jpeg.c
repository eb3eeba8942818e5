#ifdef WAXWING_IMAGES
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jerror.h>
#include <jpeglib.h>
#include "job.h"
#if !defined(LIBJPEG_TURBO_VERSION_NUMBER) || LIBJPEG_TURBO_VERSION_NUMBER < 2001005
#error "libjpeg-turbo 2.1.5 is the least"
#endif

enum { buffer_length = 16 << 10 };

struct decoder {
    struct jpeg_decompress_struct image;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    struct job *job;
    int is_made;
    JOCTET buffer[buffer_length];
};

static struct job *job_of(j_common_ptr image) { return (struct job *)image->client_data; }

static void fail(j_common_ptr image) {
    job_fail(job_of(image), image->err->msg_code == JERR_OUT_OF_MEMORY ? waxwing_image_no_memory : waxwing_image_malformed);
}

// What is only odd passes; a warning that pixels are made up ends it.
static void warn(j_common_ptr image, int level) {
    if (level >= 0) return;
    switch (image->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR: return;
    default: fail(image);
    }
}

static void be_silent(j_common_ptr image) { (void)image; }

static void begin_source(j_decompress_ptr image) { (void)image; }

static boolean fill(j_decompress_ptr image) {
    struct decoder *decoder = ((struct job *)image->client_data)->decoder;
    size_t count = job_read(decoder->job, decoder->buffer, buffer_length);
    if (count == 0) job_fail(decoder->job, waxwing_image_malformed);
    decoder->source.next_input_byte = decoder->buffer;
    decoder->source.bytes_in_buffer = count;
    return TRUE;
}

static void skip(j_decompress_ptr image, long count) {
    struct jpeg_source_mgr *source = image->src;
    while (count > 0) {
        if (source->bytes_in_buffer == 0) fill(image);
        size_t step = source->bytes_in_buffer < (size_t)count ? source->bytes_in_buffer : (size_t)count;
        source->next_input_byte += step;
        source->bytes_in_buffer -= step;
        count -= (long)step;
    }
}

static uint8_t next_byte(j_decompress_ptr image) {
    if (image->src->bytes_in_buffer == 0) fill(image);
    image->src->bytes_in_buffer--;
    return *image->src->next_input_byte++;
}

// A colour profile that is whole in one segment. The library would keep every segment of the kind, however many there are.
static boolean read_profile(j_decompress_ptr image) {
    static const char name[12] = "ICC_PROFILE";
    struct job *job = image->client_data;
    long length = next_byte(image) << 8;
    length |= next_byte(image);
    length -= 2;
    if (length < 0) fail((j_common_ptr)image);
    if (length < 14 || job->whole != NULL) {
        skip(image, length);
        return TRUE;
    }
    uint8_t *segment = job->whole = job_memory(job, 1, (size_t)length);
    for (long i = 0; i < length; i++) segment[i] = next_byte(image);
    if (memcmp(segment, name, sizeof name) == 0 && segment[12] == 1 && segment[13] == 1) {
        job_keep_profile(job, segment + 14, (size_t)length - 14);
    }
    free(segment);
    job->whole = NULL;
    return TRUE;
}

static void monitor(j_common_ptr image) { job_check_time(job_of(image)); }

static void set_up(struct job *job, struct decoder *decoder) {
    struct jpeg_decompress_struct *image = &decoder->image;
    decoder->job = job;
    image->err = jpeg_std_error(&decoder->errors);
    decoder->errors.error_exit = fail;
    decoder->errors.emit_message = warn;
    decoder->errors.output_message = be_silent;
    image->client_data = job;
    jpeg_create_decompress(image);
    decoder->is_made = 1;
    image->client_data = job;
    decoder->source.init_source = begin_source;
    decoder->source.fill_input_buffer = fill;
    decoder->source.skip_input_data = skip;
    decoder->source.resync_to_restart = jpeg_resync_to_restart;
    decoder->source.term_source = begin_source;
    image->src = &decoder->source;
    // Asked at each row of a pass, of which a hostile file may have thousands.
    decoder->progress.progress_monitor = monitor;
    image->progress = &decoder->progress;
    jpeg_set_marker_processor(image, JPEG_APP0 + 2, read_profile);
}

// The smallest of the sizes that the transform gives for nothing and that is not below the target.
static void choose_size(struct job *job, struct jpeg_decompress_struct *image) {
    for (unsigned eighths = 1; eighths <= 8; eighths++) {
        image->scale_num = eighths;
        image->scale_denom = 8;
        jpeg_calc_output_dimensions(image);
        if (image->output_width >= job->width && image->output_height >= job->height) return;
    }
}

// Four inks, as Adobe writes them, inverted: light is what passes both.
static void mix_inks(uint8_t *line, uint32_t width, int is_inverted) {
    const uint8_t *from = line;
    for (uint32_t x = 0; x < width; x++, from += 4, line += 3) {
        unsigned black = is_inverted ? from[3] : 255u - from[3];
        for (int c = 0; c < 3; c++) line[c] = (uint8_t)((is_inverted ? from[c] : 255u - from[c]) * black / 255);
    }
}

void decode_jpeg(struct job *job) {
    struct decoder *decoder = job->decoder = job_memory(job, 1, sizeof *decoder);
    struct jpeg_decompress_struct *image = &decoder->image;
    set_up(job, decoder);
    if (jpeg_read_header(image, TRUE) != JPEG_HEADER_OK) job_fail(job, waxwing_image_malformed);
    if (image->image_width != job->order->width || image->image_height != job->order->height) job_fail(job, waxwing_image_malformed);
    job_prepare(job, 3);
    int has_inks = image->jpeg_color_space == JCS_CMYK || image->jpeg_color_space == JCS_YCCK;
    if (has_inks) {
        // It is of the inks, and they are gone then.
        free(job->profile);
        job->profile = NULL;
    }
    image->out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
    image->dct_method = JDCT_ISLOW;
    choose_size(job, image);
    if (!jpeg_start_decompress(image)) job_fail(job, waxwing_image_malformed);
    average_prepare(job, image->output_width, image->output_height);
    job->line = job_memory(job, image->output_width, (size_t)image->output_components);
    while (image->output_scanline < image->output_height) {
        JSAMPROW row = job->line;
        if (jpeg_read_scanlines(image, &row, 1) != 1) job_fail(job, waxwing_image_malformed);
        if (has_inks) mix_inks(job->line, image->output_width, image->saw_Adobe_marker);
        average_row(job, job->line);
    }
    if (!jpeg_finish_decompress(image)) job_fail(job, waxwing_image_malformed);
}

void free_jpeg(struct job *job) {
    struct decoder *decoder = job->decoder;
    if (decoder != NULL && decoder->is_made) jpeg_destroy_decompress(&decoder->image);
    free(decoder);
    free(job->whole);
    job->decoder = NULL;
    job->whole = NULL;
}
#endif
