/* Markdown as a Doc: what lessons, tasks and hints are shown with. */
#ifndef ATTN_SHOW_MARKDOWN_H
#define ATTN_SHOW_MARKDOWN_H

#include "show/matrix.h"

/* Adds Markdown to doc: headings (those of levels 1 and 2 with a rule below them, which stands for
 * the empty line; the others with a sign before them), paragraphs filled to options->width_cols (20
 * at least; a word that is longer is broken), emphasis, lists (also nested), tables, code (indented
 * by 4 columns, as it stands, never broken), quotes, rules, links (their text; the address after
 * it in STYLE_QUIET where it is not a place in the same folder), pictures (their text), HTML left
 * out. One empty line between blocks, none in lists without empty lines, none at the beginning or
 * the end. A table that is too wide has its cells filled, or becomes a list of its rows; a column
 * of numbers stands to the right.
 *
 * Headings and emphasis are STYLE_TITLE, pieces of code and indented blocks STYLE_NAME, fenced
 * blocks STYLE_NUMBER. Without options->colour `code` and *emphasis* keep signs. In ascii,
 * typographic characters of ours (bullets, rules, signs, quotation bars) are ASCII; the text's own
 * are kept.
 *
 * Source text may hold anything, also bytes that are not UTF-8; md4c reads CommonMark with tables
 * (three dashes a column at least). Nesting is bounded. doc's open line is ended first. Failures as
 * in doc.h. */
void markdown_show(struct doc *doc, const char *markdown, size_t size,
                   const struct show_options *options);

#endif
