/* Names of verdicts: see verdict.h. */
#include "report/verdict.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *sentence;
} verdicts[N_VERDICTS] = {
    [VERDICT_PASS] = {"pass", "Right in every case."},
    [VERDICT_WRONG_ANSWER] = {"wrong_answer", "It runs, but the numbers are not right yet."},
    [VERDICT_NON_FINITE] = {"non_finite",
                            "There is a NaN or an infinity where a number should be."},
    [VERDICT_MODIFIED_INPUTS] = {"modified_inputs", "It changed an array that it may only read."},
    [VERDICT_OUT_OF_BOUNDS] = {"out_of_bounds", "It read or wrote beside an array."},
    [VERDICT_CRASH] = {"crash", "It crashed."},
    [VERDICT_EXITED_EARLY] = {"exited_early", "It left the program instead of returning."},
    [VERDICT_TIME_LIMIT] = {"time_limit", "It ran out of time."},
    [VERDICT_MEMORY_LIMIT] = {"memory_limit", "It asked for more memory than it may use."},
    [VERDICT_OUTPUT_LIMIT] = {"output_limit", "It printed too much."},
    [VERDICT_FORBIDDEN_SYSCALL] = {"forbidden_syscall",
                                   "It asked the system for something a formula does not need."},
    [VERDICT_COMPILE_ERROR] = {"compile_error", "It does not compile."},
    [VERDICT_LINK_ERROR] = {"link_error", "It compiles, but can't be linked."},
    [VERDICT_LEAK] = {"leak", "It allocates memory and never frees it."},
    [VERDICT_TOO_SLOW] = {"too_slow", "It is right, but not fast enough."},
    [VERDICT_NOT_IMPLEMENTED] = {"not_implemented", "It is still the starter."},
    [VERDICT_BAD_FILE] = {"bad_file", "The file can't be graded."},
    [VERDICT_INTERNAL_ERROR] = {"internal_error",
                                "Grading failed; the fault is attn's, not yours."},
    [VERDICT_MISSING] = {"missing", "Nothing was handed in."},
};

const char *verdict_name(enum verdict verdict)
{
    return verdicts[verdict].name;
}

bool verdict_from_name(const char *name, enum verdict *ret)
{
    for (int i = 0; i < N_VERDICTS; i++) {
        if (strcmp(verdicts[i].name, name) == 0) {
            *ret = (enum verdict)i;
            return true;
        }
    }
    return false;
}

const char *verdict_sentence(enum verdict verdict)
{
    return verdicts[verdict].sentence;
}
