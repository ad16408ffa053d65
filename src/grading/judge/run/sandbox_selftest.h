/* The self-test of the sandbox: small programs of attn's own do what the sandbox must prevent, and
 * each must get its verdict. */
#ifndef ATTN_JUDGE_RUN_SANDBOX_SELFTEST_H
#define ATTN_JUDGE_RUN_SANDBOX_SELFTEST_H

#include "compile/compiler.h"

struct selftest_probe {
    const char *name; /* fork, socket, open, spin, allocate, exit */
    enum verdict expects;
    enum layer layer; /* the layer that is at fault when the probe gets another verdict */
};

struct selftest_result {
    const struct selftest_probe *probe;
    enum verdict got;
    char detail[64];
};

enum { SELFTEST_PROBES = 6 };

/* Builds all probes and runs them in boxes with these layers. *ret_ok: each got its verdict. False
 * (ERR_FILE) only when they could not be built or run at all. */
bool selftest_run(const struct compiler *compiler, const struct limits *limits, unsigned layers,
                  struct selftest_result results[SELFTEST_PROBES], bool *ret_ok,
                  struct error *reterr);

#endif
