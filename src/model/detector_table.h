/* All heads of a run with all their scores. */
#ifndef ATTN_MODEL_DETECTOR_TABLE_H
#define ATTN_MODEL_DETECTOR_TABLE_H

#include "model/detector.h"

struct doc;
struct labels;

/* The scores of all heads by all detectors, (n_layers * n_heads, DETECTORS), and the names of the
 * heads, L5H1: those that score highest by detector `by` first (DETECTORS: by any but uniform).
 * period: see struct detection. */
bool detector_table(struct run *run, enum detector_measure measure, size_t period, enum detector by,
                    struct tensor *ret, struct labels **ret_heads, struct error *reterr);
/* Its first n rows. */
bool show_detector_table(const struct tensor *table, const struct labels *heads, size_t n,
                         struct doc *out, struct error *reterr);

#endif
