/* attn bench grade [FILE], attn bench screen: see bench.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* nftw() */
#endif
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/cli.h"

enum { OPEN_FOLDERS = 16 };

bool bench_folder_make(char folder[BENCH_FOLDER_BYTES], struct error *reterr)
{
    snprintf(folder, BENCH_FOLDER_BYTES, "/tmp/attn-bench-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return error_set(reterr, ERR_FILE, "/tmp: %s", strerror(errno));
    }
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    return true;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void bench_folder_remove(const char folder[BENCH_FOLDER_BYTES])
{
    if (folder[0] != '\0')
        nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_percentile(double *values, size_t n, unsigned percent)
{
    qsort(values, n, sizeof *values, by_size);
    size_t at = (n * percent + 99) / 100;
    return values[at > 0 ? at - 1 : 0];
}

int bench_main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "screen") == 0)
        return bench_screen();
    if (argc >= 2 && argc <= 3 && strcmp(argv[1], "grade") == 0)
        return bench_grade(argc == 3 ? argv[2] : NULL);
    usage_error("bench: it takes screen, or grade and a FILE that solves softmax-rows");
}

const char bench_help[] =
    "  grade [FILE]   how long `attn check` takes, against the compiler, the linker and one run "
    "by\n"
    "                 themselves; FILE solves softmax-rows, else a solution is taken that comes\n"
    "                 with attn\n"
    "  screen         how long the full screen takes in a terminal of 250 columns and 70 rows: "
    "from\n"
    "                 a key to the end of the frame that it paints, with a matrix of 64x64 on the\n"
    "                 screen; to the first frame; and what it takes of the processor while nobody\n"
    "                 types. Takes about a minute\n\n"
    "Limits are printed beside what was measured; exit code 1 when one is broken. Times depend on\n"
    "the machine, and on what else it does: best measure on one that is idle.\n";
