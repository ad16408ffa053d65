/* The self-test of the sandbox: small programs of ours that do what may not be done, and must get
 * their verdicts. */
#ifndef ATTN_JUDGE_SANDBOX_SELFTEST_H
#define ATTN_JUDGE_SANDBOX_SELFTEST_H

#include "compile/compiler.h"

struct selftest_probe {
    const char *name; /* fork, socket, open, spin, allocate, exit */
    enum verdict expects;
    enum layer layer; /* which layer is at fault when it does not get it */
};

struct selftest_result {
    const struct selftest_probe *probe;
    enum verdict got;
    char detail[64];
};

enum { SELFTEST_PROBES = 6 };

/* Builds and runs all probes in boxes with these layers. False (ERR_FILE) only when they could not
 * be built or run at all; *ret_ok says whether each got its verdict. */
bool selftest_run(const struct compiler *compiler, const struct limits *limits, unsigned layers,
                  struct selftest_result results[SELFTEST_PROBES], bool *ret_ok,
                  struct error *reterr);

#endif
