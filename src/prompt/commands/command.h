/* The table of commands: words that a statement may start with. */
#ifndef ATTN_LANG_COMMANDS_COMMAND_H
#define ATTN_LANG_COMMANDS_COMMAND_H

#include "lang/syntax/command.h"

/* The command of that name, or NULL. */
const struct command *command_find(const char *name, size_t size);
/* All of them, in the order of the help page. */
const struct command *command_table(size_t *ret_count);
/* The kinds of checks that verify knows, for completion: number i, or NULL after the last. */
const char *command_verify_kind(size_t i);

#endif
