/* The past of a session, as the session itself needs it: see transaction.h. */
#ifndef ATTN_LANG_SESSION_TRANSACTION_INTERNAL_H
#define ATTN_LANG_SESSION_TRANSACTION_INTERNAL_H

#include "lang/session/transaction.h"

/* Before a line is committed. ERR_MEMORY. */
bool past_make_room(struct past *past, struct error *reterr);
void past_release(struct past *past); /* it may be all zero bytes */

#endif
