/* What the parser asks of the lexer beside tokens. */
#ifndef ATTN_LANG_SYNTAX_LEXER_INTERNAL_H
#define ATTN_LANG_SYNTAX_LEXER_INTERNAL_H

#include "lang/syntax/lexer.h"

/* Passes over the row at lexer->at, with the rows that its open brackets lead on to. */
void lexer_pass_row(struct lexer *lexer);

#endif
