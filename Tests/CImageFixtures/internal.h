#pragma once
#include <stdio.h>
#include "CImageFixtures.h"

int write_jpeg(FILE *file, const struct fixture *fixture);
int write_png(FILE *file, const struct fixture *fixture);
int write_gif(FILE *file, const struct fixture *fixture);
int write_webp(FILE *file, const struct fixture *fixture);
int write_heic(FILE *file, const struct fixture *fixture);
