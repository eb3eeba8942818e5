#ifdef WAXWING_IMAGES
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>
#include "job.h"
#if GIFLIB_MAJOR * 10000 + GIFLIB_MINOR * 100 + GIFLIB_RELEASE < 50201
#error "giflib 5.2.1 is the least"
#endif

static int give(GifFileType *gif, GifByteType *bytes, int length) {
    return length < 0 ? 0 : (int)job_read(gif->UserData, bytes, (size_t)length);
}

// Up to the first frame. Answers the colour that is seen through, or -1.
static int find_frame(struct job *job, GifFileType *gif) {
    int transparent = NO_TRANSPARENT_COLOR;
    for (unsigned records = 0;; records++) {
        GifRecordType record;
        if (records % 256 == 0) job_check_time(job);
        if (DGifGetRecordType(gif, &record) != GIF_OK) job_fail(job, waxwing_image_malformed);
        if (record == IMAGE_DESC_RECORD_TYPE) return transparent;
        if (record != EXTENSION_RECORD_TYPE) job_fail(job, waxwing_image_malformed);
        int code;
        GifByteType *block;
        if (DGifGetExtension(gif, &code, &block) != GIF_OK) job_fail(job, waxwing_image_malformed);
        if (code == GRAPHICS_EXT_FUNC_CODE && block != NULL) {
            GraphicsControlBlock control;
            if (DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) transparent = control.TransparentColor;
        }
        while (block != NULL) {
            if (DGifGetExtensionNext(gif, &block) != GIF_OK) job_fail(job, waxwing_image_malformed);
        }
    }
}

// A row of the whole picture from one of the frame's.
static void paint(struct job *job, const GifFileType *gif, const ColorMapObject *map, int transparent, const GifByteType *indexes) {
    uint8_t *pixel = job->line + 4 * (size_t)gif->Image.Left;
    for (int x = 0; x < gif->Image.Width; x++, pixel += 4) {
        int index = indexes[x];
        GifColorType colour = {0, 0, 0};
        if (index < map->ColorCount) colour = map->Colors[index];
        pixel[0] = colour.Red;
        pixel[1] = colour.Green;
        pixel[2] = colour.Blue;
        pixel[3] = index == transparent ? 0 : 255;
    }
}

// The frame's rows, in the order they come in; those of an interlaced one are put where they belong.
static void read_interlaced(struct job *job, GifFileType *gif, uint8_t *rows) {
    static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    for (int pass = 0; pass < 4; pass++) {
        for (int y = first[pass]; y < gif->Image.Height; y += step[pass]) {
            if (DGifGetLine(gif, rows + (size_t)y * (size_t)gif->Image.Width, gif->Image.Width) != GIF_OK) job_fail(job, waxwing_image_malformed);
        }
        job_check_time(job);
    }
}

void decode_gif(struct job *job) {
    int error = 0;
    GifFileType *gif = job->decoder = DGifOpen(job, give, &error);
    if (gif == NULL) job_fail(job, error == D_GIF_ERR_NOT_ENOUGH_MEM ? waxwing_image_no_memory : waxwing_image_malformed);
    int transparent = find_frame(job, gif);
    if (DGifGetImageDesc(gif) != GIF_OK) job_fail(job, waxwing_image_malformed);
    const GifImageDesc *frame = &gif->Image;
    const ColorMapObject *map = frame->ColorMap != NULL ? frame->ColorMap : gif->SColorMap;
    int right = frame->Left + frame->Width, bottom = frame->Top + frame->Height;
    uint32_t width = (uint32_t)(right > gif->SWidth ? right : gif->SWidth);
    uint32_t height = (uint32_t)(bottom > gif->SHeight ? bottom : gif->SHeight);
    if (map == NULL || frame->Width <= 0 || frame->Height <= 0 || frame->Left < 0 || frame->Top < 0) job_fail(job, waxwing_image_malformed);
    if (width != job->order->width || height != job->order->height) job_fail(job, waxwing_image_malformed);
    job_prepare(job, 4);
    average_prepare(job, width, height);
    job->line = job_memory(job, width, 4);
    size_t rows = frame->Interlace ? (size_t)frame->Height : 1;
    uint8_t *indexes = job->whole = job_memory(job, rows, (size_t)frame->Width);
    if (frame->Interlace) read_interlaced(job, gif, indexes);
    for (uint32_t y = 0; y < height; y++) {
        if ((int)y < frame->Top || (int)y >= bottom) {
            memset(job->line, 0, 4 * (size_t)width);
        } else if (frame->Interlace) {
            paint(job, gif, map, transparent, indexes + (size_t)((int)y - frame->Top) * (size_t)frame->Width);
        } else {
            if (DGifGetLine(gif, indexes, frame->Width) != GIF_OK) job_fail(job, waxwing_image_malformed);
            paint(job, gif, map, transparent, indexes);
        }
        average_row(job, job->line);
    }
}

void free_gif(struct job *job) {
    if (job->decoder != NULL) {
        // It frees all it has whatever it answers; what it answers is about a file that it has not opened.
        int error = 0;
        (void)DGifCloseFile(job->decoder, &error);
    }
    free(job->whole);
    job->decoder = NULL;
    job->whole = NULL;
}
#endif
