/* Boxes under test: programs that do one deed of box_deeds.c each, and what came of it. */
#ifndef ATTN_TESTS_BOX_TESTING_H
#define ATTN_TESTS_BOX_TESTING_H

#include "testing.h"

#include "sandbox/box.h"

enum { PROGRAM_BYTES = 8 << 20 }; /* more than any program here */

/* Of this machine. Found once, only read after that. */
extern unsigned available;

/* A deed, and what came of it. */
struct deed {
    struct box_plan plan;
    char words[3][64]; /* argv: a name of no meaning, the deed, its argument */
    char *argv[4];
    char said[8192]; /* on standard output and error */
    struct box_end end;
};

/* argument may be NULL. In boxes other than BOX_RUN the program is the file deeds of /w. */
void deed_init(struct deed *deed, enum box_kind kind, unsigned layers, const char *name,
               const char *argument);
/* Runs it; what it said. After its wall time it is killed. */
const char *deed_run(struct deed *deed);
/* The verdict on how it ended, with its detail. */
const char *deed_verdict(const struct deed *deed, char text[128]);

/* got begins with wanted. */
#define assert_deed(deed, got, wanted) deed_compare(__FILE__, __LINE__, deed, got, wanted)
/* The deed, behind these layers, says a line that begins like this. */
#define assert_deed_says(kind, layers, name, argument, wanted) \
    deed_says(__FILE__, __LINE__, kind, layers, name, argument, wanted)
/* The deed, behind these layers, comes to an end that is judged like this. */
#define assert_deed_ends(kind, layers, name, argument, wanted) \
    deed_ends(__FILE__, __LINE__, kind, layers, name, argument, wanted)

/* Skips the test on machines that lack one of these layers. */
void needs(unsigned layers);
/* All layers that there are, but these. */
unsigned all_but(unsigned layers);
int64_t now_ms(void);

/* Runs tests as whoever this is and then, where that is root, as an ordinary user. They begin with
 * the building of the deeds, in a box. */
#define run_as_all(name, tests) box_run_tests(name, tests, sizeof(tests) / sizeof *(tests))

/* What the macros call. */
void deed_compare(const char *file, int line, const struct deed *deed, const char *got,
                  const char *wanted);
void deed_says(const char *file, int line, enum box_kind kind, unsigned layers, const char *name,
               const char *argument, const char *wanted);
void deed_ends(const char *file, int line, enum box_kind kind, unsigned layers, const char *name,
               const char *argument, const char *wanted);
int box_run_tests(const char *name, const struct CMUnitTest *tests, size_t n_tests);

#endif
