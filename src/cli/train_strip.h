/* attn train --strip: six moments of a training in one picture. */
#ifndef ATTN_CLI_TRAIN_STRIP_H
#define ATTN_CLI_TRAIN_STRIP_H

#include "cli/cli.h"

struct film;

/* Takes the steps that are left and prints the strip (train/film_strip.h), as lines or as an SVG
 * file; nothing is saved. Returns the exit code. */
int train_strip(struct film *film, const struct common_options *common, bool as_svg);

#endif
