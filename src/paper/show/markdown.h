/* Markdown as a Doc: lessons, tasks and hints are shown with it. */
#ifndef ATTN_SHOW_MARKDOWN_H
#define ATTN_SHOW_MARKDOWN_H

#include "show/matrix.h"

/* Adds Markdown to doc: headings (those of levels 1 and 2 with a rule below them instead of an
 * empty line; the others with a sign before them), paragraphs filled to options->width_cols (at
 * least 20; a longer word is broken), emphasis, lists (also nested), tables, code (indented by 4
 * columns, unchanged, never broken), quotes, rules, links (their text; then the address in
 * STYLE_QUIET unless it is a place in the same folder), pictures (their text); HTML is left out.
 * There is one empty line between blocks, but not in lists without empty lines, nor at the
 * beginning or the end. A table that is too wide has its cells filled, or becomes a list of its
 * rows; a column of numbers is aligned right.
 *
 * Headings and emphasis are STYLE_TITLE, pieces of code and indented blocks STYLE_NAME, fenced
 * blocks STYLE_NUMBER. Without options->colour `code` and *emphasis* keep their signs. In ascii,
 * attn's own typographic characters (bullets, rules, signs, quotation bars) are ASCII; the text's
 * own are kept.
 *
 * Source text may hold anything, also bytes that are not UTF-8; md4c reads CommonMark with tables
 * (at least three dashes a column). Nesting is bounded. doc's open line is ended first. Failures as
 * in doc.h. */
void markdown_show(struct doc *doc, const char *markdown, size_t size,
                   const struct show_options *options);

#endif
