#include "CImages.h"

// Built without the libraries: no image is scaled, and whoever asks is told so.
#ifndef WAXWING_IMAGES
int waxwing_image_is_available(void) { return 0; }

enum waxwing_image_answer waxwing_image_scale(const struct waxwing_image_order *order, struct waxwing_image_result *result) {
    (void)order;
    (void)result;
    return waxwing_image_unavailable;
}
#endif
