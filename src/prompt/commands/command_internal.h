/* The functions that the table of commands names. */
#ifndef ATTN_LANG_COMMANDS_COMMAND_INTERNAL_H
#define ATTN_LANG_COMMANDS_COMMAND_INTERNAL_H

#include "commands/command.h"
#include "lang/session/session.h"

#define COMMAND(name)                                                                      \
    bool name(struct session *session, const struct statement *statement, struct doc *out, \
              struct error *reterr)

/* commands_look.c: looking at tensors */
COMMAND(command_show);
COMMAND(command_heat);
COMMAND(command_bars);
COMMAND(command_why);
COMMAND(command_trace);
COMMAND(command_vars);

/* commands_model.c */
COMMAND(command_predict);
COMMAND(command_train);

/* commands_inspect.c */
COMMAND(command_ablate);
COMMAND(command_heads);
COMMAND(command_compare);
COMMAND(command_patch);
COMMAND(command_lens);
COMMAND(command_contributions);

/* commands_plot.c */
COMMAND(command_plot);

/* commands_whatif.c */
COMMAND(command_whatif);
COMMAND(command_keep);
COMMAND(command_undo);

/* commands_change.c: changing the session */
COMMAND(command_del);
COMMAND(command_reset);
COMMAND(command_save);
COMMAND(command_load);
COMMAND(command_set);
COMMAND(command_quit);

/* commands_loop.c */
COMMAND(command_for);

/* commands_verify.c */
COMMAND(command_verify);

/* commands_shapes.c */
COMMAND(command_shapes);
COMMAND(command_step);

/* commands_help.c */
COMMAND(command_help);

#endif
