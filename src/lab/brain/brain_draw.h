// A brain as a picture (SVG): inputs at the left (64 of them as a board), middle nodes in columns
// by how far they are from the inputs, outputs at the right. Links without weight are left out.
#ifndef LOVAC_LAB_BRAIN_BRAIN_DRAW_H
#define LOVAC_LAB_BRAIN_BRAIN_DRAW_H

#include "base/bytes.h"
#include "lab/brain/brain.h"

// Adds the picture's text at the end of `svg`; false when memory ran out.
bool brain_draw(const Brain *brain, Bytes *svg);

// The same for the brain of a DNA file.
bool brain_draw_file(const char *path, Bytes *svg, Error *error);

#endif
