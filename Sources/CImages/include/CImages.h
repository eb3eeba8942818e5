#pragma once
#include <stdint.h>

// Makes a smaller image out of one, from an open file to an open file. All that libpng and libjpeg jump out of stays in here.

enum waxwing_image_type { waxwing_image_jpeg, waxwing_image_png, waxwing_image_gif, waxwing_image_webp };

enum waxwing_image_answer {
    waxwing_image_done,
    waxwing_image_unavailable,  // built without the libraries
    waxwing_image_malformed,    // cut short, damaged, or not what its header said
    waxwing_image_late,
    waxwing_image_no_memory,
    waxwing_image_unwritten,
};

struct waxwing_image_order {
    int input;   // at its beginning
    int output;  // empty
    enum waxwing_image_type type;
    // What the header said; an image that turns out to be of another size is malformed.
    uint32_t width, height;
    uint32_t longest;      // pixels of the longer side, at most
    int orientation;       // 1 to 8, as in EXIF
    int64_t deadline;      // nanoseconds of CLOCK_MONOTONIC
};

struct waxwing_image_result {
    enum waxwing_image_type type;  // JPEG, or PNG where something can be seen through
    uint32_t width, height;
};

// Whether this was built with the libraries.
int waxwing_image_is_available(void);

enum waxwing_image_answer waxwing_image_scale(const struct waxwing_image_order *order, struct waxwing_image_result *result);
