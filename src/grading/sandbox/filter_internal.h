/* The filter of system calls: what a program in a box may ask of the kernel. */
#ifndef ATTN_SANDBOX_FILTER_INTERNAL_H
#define ATTN_SANDBOX_FILTER_INTERNAL_H

#include "sandbox/box.h"

/* The program that a BOX_RUN executes is at this descriptor, and may be executed from no other. */
enum { FILTER_PROGRAM_FD = BOX_MAX_FDS };

/* A filter as the kernel takes it. */
struct filter {
    void *code; /* n_bytes bytes from malloc(); NULL: no filter */
    size_t n_bytes;
    bool notifies; /* calls that learners know by name are reported to a listener */
};

/* The filter for a kind of box with these layers: without namespaces it also keeps tools from
 * signalling other processes. notifies: ask for a listener; a process and all its ancestors can
 * have only one. */
bool filter_make(enum box_kind kind, unsigned layers, bool notifies, struct filter *ret,
                 struct error *reterr);
void filter_release(struct filter *filter); /* all zero bytes are nothing to release */

/* Confines this process by the filter for ever; needs PR_SET_NO_NEW_PRIVS. The filter gets this
 * process's id, the only one that it may send signals to, so no other process can use it later.
 * *ret_listener is the descriptor that reports calls, close-on-exec, or -1 if the filter has none.
 * Returns NULL, or the step that failed with errno. */
const char *filter_install(struct filter *filter, int *ret_listener);

/* Takes the next reported call: writes its name, or number, to call[0..capacity). False if there is
 * no call. Its caller waits for an answer that never comes: end the process. */
bool filter_listen(int listener, char *call, size_t capacity);

#endif
