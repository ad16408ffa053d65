/* attn doctor: what this machine has and lacks, what each lack costs, and what to do about it. With
 * a model's folder: what is wrong with that (doctor_model.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/doctor_model.h"
#include "cli/findings.h"
#include "cli/practice.h"
#include "judge/run/sandbox_selftest.h"
#include "exercise/workspace.h"
#include "kernel/kernel.h"
#include "kernel/threads.h"
#include "ui/terminal/kind.h"

struct doctor {
    struct practice_options options;
    struct findings findings;
    struct compiler compiler;
    bool has_compiler;
    unsigned layers;
};

static void tell(struct doctor *doctor, enum health health, const char *name, const char *found,
                 const char *advice)
{
    findings_tell(&doctor->findings, health, name, found, advice);
}

/* ---- attn's own ---- */

static void look_at_data(struct doctor *doctor)
{
    struct catalogue catalogue;
    struct error error;
    char found[4200];
    if (!catalogue_open(data_dir(), NULL, &catalogue, &error)) {
        tell(doctor, HEALTH_BROKEN, "data", error.text, NULL);
        return;
    }
    snprintf(found, sizeof found, "%s, %zu exercises", data_dir(), catalogue.n);
    tell(doctor, catalogue.n > 0 ? HEALTH_GOOD : HEALTH_BROKEN, "data", found,
         "Set ATTN_DATA_DIR to the folder that holds exercises/ and assets/.");
    catalogue_release(&catalogue);
}

static void look_at_progress(struct doctor *doctor)
{
    struct progress *progress = progress_open(NULL);
    const char *problem = progress != NULL ? progress_problem(progress) : "not enough memory";
    if (problem != NULL)
        tell(doctor, HEALTH_LACK, "progress", problem,
             "What you solve is not remembered. Set XDG_STATE_HOME to a folder you may write to.");
    else
        tell(doctor, HEALTH_GOOD, "progress", "what you solve is remembered", NULL);
    progress_close(progress);
}

/* ---- arithmetic ---- */

static void look_at_kernels(struct doctor *doctor)
{
    const struct kernel *sets[KERNEL_MAX_SETS + 1], *used = kernel_get();
    struct text found = {0};
    kernel_sets(sets);
    for (size_t i = 0; sets[i] != NULL; i++)
        text_format(&found, "%s%s", i > 0 ? ", " : "", sets[i]->name);
    text_format(&found, "; used: %s%s", used != NULL ? used->name : "plain",
                getenv("ATTN_ISA") != NULL ? ", as ATTN_ISA says" : "");
    tell(doctor, HEALTH_GOOD, "instructions", text_string(&found), NULL);
    text_clear(&found);
    text_format(&found, "%zu for large work", threads_most());
    tell(doctor, HEALTH_GOOD, "threads", text_string(&found), NULL);
    text_release(&found);
}

/* ---- the compiler ---- */

static void look_for_compiler(struct doctor *doctor)
{
    struct error error;
    char found[512];
    doctor->has_compiler = compiler_find(doctor->options.compiler, &doctor->compiler, &error);
    if (!doctor->has_compiler) {
        tell(doctor, HEALTH_BROKEN, "compiler", error.text,
             "Exercises can't be compiled. On Debian: apt-get install gcc libc6-dev");
        return;
    }
    snprintf(found, sizeof found, "%s\n%s", doctor->compiler.version, doctor->compiler.path);
    tell(doctor, HEALTH_GOOD, "compiler", found, NULL);
}

/* Builds the first exercise's starter. True when that works; else why says what was said. */
static bool can_build(const struct doctor *doctor, const struct exercise *exercise, bool sanitize,
                      struct text *why)
{
    const struct compile_request request = {.compiler = &doctor->compiler,
                                            .exercise = exercise,
                                            .limits = &limits_default,
                                            .layers = doctor->layers,
                                            .sanitize = sanitize};
    struct runtime runtime;
    struct build build;
    struct error error;
    if (!runtime_build(&request, &runtime, &error)) {
        text_put(why, error.text);
        return false;
    }
    build_program(&request, &runtime, exercise->starter_name, exercise->starter,
                  strlen(exercise->starter), &build);
    bool ok = build.verdict == VERDICT_PASS;
    if (!ok && build.messages.size > 0)
        text_add(why, build.messages.bytes, strcspn(text_string(&build.messages), "\n"));
    else if (!ok)
        text_format(why, "%s %s", verdict_name(build.verdict), build.detail);
    build_release(&build);
    runtime_release(&runtime);
    return ok;
}

static void look_at_building(struct doctor *doctor)
{
    struct catalogue catalogue;
    struct exercise *exercise;
    struct text why = {0};
    if (!doctor->has_compiler || !catalogue_open(data_dir(), NULL, &catalogue, NULL))
        return;
    if (catalogue.n > 0 && catalogue_load(&catalogue, &catalogue.entries[0], &exercise, NULL)) {
        bool links = can_build(doctor, exercise, false, &why);
        tell(doctor, links ? HEALTH_GOOD : HEALTH_BROKEN, "static programs",
             links ? "they can be compiled and linked" : text_string(&why),
             "Exercises can't be run. On Debian: apt-get install libc6-dev");
        text_clear(&why);
        bool explains = can_build(doctor, exercise, true, &why);
        tell(doctor, explains ? HEALTH_GOOD : HEALTH_LACK, "sanitizers",
             explains ? "they explain crashes" : text_string(&why),
             "A crash is named, but not explained with its line. On Debian, gcc brings them, and "
             "clang does with apt-get install libclang-rt-14-dev");
        exercise_free(exercise);
    }
    text_release(&why);
    catalogue_release(&catalogue);
}

/* ---- the layers ---- */

/* What is lost without a layer, and how to get it. */
static const struct {
    enum layer layer;
    const char *advice;
} layer_rows[] = {
    {LAYER_NAMESPACES,
     "A program under test sees the machine's processes and network. Let ordinary users make "
     "namespaces: sysctl kernel.unprivileged_userns_clone=1, on Ubuntu also "
     "kernel.apparmor_restrict_unprivileged_userns=0; in a container, allow them there."},
    {LAYER_ROOT, "A program under test sees the machine's files. It comes with namespaces."},
    {LAYER_RLIMITS, "Time and memory of a program under test are not limited."},
    {LAYER_LANDLOCK,
     "One layer fewer around files. It takes a kernel from 5.13 on that was started "
     "with landlock among its security modules."},
    {LAYER_SECCOMP, "A program under test can ask the kernel for anything. It takes Linux with "
                    "seccomp filters, and attn built with libseccomp."},
    {LAYER_CGROUP, "Memory is limited for each process and not for all together, which is enough "
                   "where a program can't start others. Try: systemd-run --user --scope -p "
                   "Delegate=yes attn ..."},
    {LAYER_UID, "Programs under test run as root. Start attn as an ordinary user."},
};

/* The line of the reasons that begins with the layer's name, without it. */
static char *reason_of(const char *name, const struct text *reasons, char *text, size_t capacity)
{
    size_t size = strlen(name);
    snprintf(text, capacity, "does not work here");
    for (const char *line = text_string(reasons), *end; *line != '\0';
         line = end + (*end != '\0')) {
        end = line + strcspn(line, "\n");
        if (strncmp(line, name, size) == 0 && line[size] == ':')
            snprintf(text, capacity, "%.*s", (int)(end - line - (ptrdiff_t)size - 2),
                     line + size + 2);
    }
    return text;
}

static void look_at_layers(struct doctor *doctor)
{
    struct text reasons = {0};
    char found[512];
    doctor->layers = layers_available(&reasons);
    for (size_t i = 0; i < COUNT_OF(layer_rows); i++) {
        const char *name = layer_name(layer_rows[i].layer);
        bool there = (doctor->layers & layer_rows[i].layer) != 0;
        tell(doctor, there ? HEALTH_GOOD : HEALTH_LACK, name,
             there ? "works" : reason_of(name, &reasons, found, sizeof found),
             layer_rows[i].advice);
    }
    text_release(&reasons);
    static const char *const isolations[] = {
        [ISOLATION_FULL] = "full", [ISOLATION_REDUCED] = "reduced", [ISOLATION_WEAK] = "weak"};
    enum isolation isolation = layers_isolation(doctor->layers);
    struct text needs = {0};
    text_format(&needs, "%s%s", isolations[isolation],
                isolation == ISOLATION_WEAK ? "; grading others needs " : "");
    layers_needed(doctor->layers, geteuid() == 0, &needs);
    tell(doctor, isolation == ISOLATION_FULL ? HEALTH_GOOD : HEALTH_LACK, "isolation",
         text_string(&needs),
         isolation == ISOLATION_WEAK
             ? "attn check goes on with a warning; attn grade refuses without "
               "--accept-weak-isolation."
             : "attn check goes on with a warning; attn grade says so in its reports.");
    text_release(&needs);
}

static void tell_probe(struct doctor *doctor, const struct selftest_result *result)
{
    char name[32], found[160];
    bool ok = result->got == result->probe->expects;
    snprintf(name, sizeof name, "probe %s", result->probe->name);
    snprintf(found, sizeof found, "%s%s%s", verdict_name(result->got),
             result->detail[0] != '\0' ? ", " : "", result->detail);
    char advice[160];
    snprintf(advice, sizeof advice, "It should be %s. The layer at fault: %s.",
             verdict_name(result->probe->expects), layer_name(result->probe->layer));
    tell(doctor, ok ? HEALTH_GOOD : HEALTH_LACK, name, found, advice);
}

static void run_probes(struct doctor *doctor)
{
    struct selftest_result results[SELFTEST_PROBES];
    struct error error;
    bool ok;
    if (!doctor->has_compiler)
        return;
    if (!selftest_run(&doctor->compiler, &limits_default, doctor->layers, results, &ok, &error)) {
        tell(doctor, HEALTH_BROKEN, "probes", error.text,
             "The programs that try the layers could not be built or run.");
        return;
    }
    for (size_t i = 0; i < SELFTEST_PROBES; i++)
        tell_probe(doctor, &results[i]);
}

/* ---- the terminal ---- */

/* How the terminal is described: TERM, and what stands in for it. */
static void look_at_kind(struct doctor *doctor)
{
    const struct terminal_kind *kind = terminal_find_kind();
    const char *used = kind->described_as;
    char found[200], advice[240];
    if (!kind->is_found && !isatty(1))
        return;
    if (!kind->is_found) {
        tell(doctor, HEALTH_LACK, "kind of terminal", "it shows lines only, as TERM says",
             "The full screen can't be shown. Set TERM to what your terminal is.");
        return;
    }
    if (used == kind->name)
        snprintf(found, sizeof found, "%s", used);
    else
        snprintf(found, sizeof found, "%s, which terminfo does not know here; %s%s", kind->name,
                 used != NULL ? "used as " : "the full screen can't be shown",
                 used != NULL ? used : "");
    snprintf(advice, sizeof advice,
             used != NULL ? "Nothing has to be done. Its own description may know more keys and "
                            "colours (on Debian: apt-get install ncurses-term)."
                          : "Set TERM=xterm-256color, or install its description (on Debian: "
                            "apt-get install ncurses-term).");
    tell(doctor, used != NULL ? HEALTH_GOOD : HEALTH_LACK, "kind of terminal", found, advice);
}

static void look_at_terminal(struct doctor *doctor)
{
    static const char *const colours[] = {[COLOURS_NONE] = "none",
                                          [COLOURS_16] = "16",
                                          [COLOURS_256] = "256",
                                          [COLOURS_TRUE] = "all"};
    struct winsize size;
    char found[64];
    if (ioctl(1, TIOCGWINSZ, &size) == 0 && isatty(1)) {
        bool fits = size.ws_col >= 80 && size.ws_row >= 24;
        snprintf(found, sizeof found, "%u columns, %u rows", size.ws_col, size.ws_row);
        tell(doctor, fits ? HEALTH_GOOD : HEALTH_LACK, "terminal", found,
             "Tables are cut. 80 columns and 24 rows show all.");
    } else {
        tell(doctor, HEALTH_GOOD, "terminal", "none: output goes to a file or a pipe", NULL);
    }
    look_at_kind(doctor);
    bool coloured = doctor->findings.settings.colours != COLOURS_NONE || !isatty(1);
    tell(doctor, coloured ? HEALTH_GOOD : HEALTH_LACK, "colours",
         colours[doctor->findings.settings.colours],
         "Signs stand for colours. Unset NO_COLOR and set TERM to what your terminal is.");
    tell(doctor, doctor->findings.settings.ascii ? HEALTH_LACK : HEALTH_GOOD, "letters",
         doctor->findings.settings.ascii ? "ASCII alone" : "Unicode", "Pictures are coarser.");
    tell(doctor, terminal_has_unicode() ? HEALTH_GOOD : HEALTH_LACK, "locale", terminal_locale(),
         "It is not UTF-8. Set LANG to a UTF-8 locale, such as C.UTF-8.");
}

/* ---- the whole ---- */

static void sum_up(struct findings *findings)
{
    doc_end_line(&findings->doc);
    if (findings->n_broken > 0)
        doc_line(&findings->doc, STYLE_BAD, "Exercises can't be graded here: fix what is broken.");
    else if (findings->n_lacks > 0)
        doc_line(&findings->doc, STYLE_NOTE, "Exercises can be graded here; %zu %s lacking.",
                 findings->n_lacks, findings->n_lacks == 1 ? "thing is" : "things are");
    else
        doc_line(&findings->doc, STYLE_GOOD, "Nothing is lacking.");
}

static void look_at_machine(struct doctor *doctor)
{
    look_at_data(doctor);
    look_at_progress(doctor);
    look_at_terminal(doctor);
    look_at_kernels(doctor);
    look_for_compiler(doctor);
    look_at_layers(doctor);
    look_at_building(doctor);
    run_probes(doctor);
    sum_up(&doctor->findings);
}

static const struct option rows[] = {
    {OPTION_TABLE, .table = practice_table},
    {OPTION_TEXT, "--compiler", "CC", "the compiler, else $CC, cc, gcc, clang or tcc",
     OPTION_SETS(struct practice_options, compiler)},
    {.kind = OPTION_END},
};

static int doctor_main(int argc, char **argv)
{
    struct doctor doctor = {.options = practice_options(&doctor_command, argc, argv)};
    struct settings settings = terminal_settings(&doctor.options.common, 1);
    findings_init(&doctor.findings, &settings);
    doc_line(&doctor.findings.doc, STYLE_QUIET, "attn %s", ATTN_VERSION);
    if (doctor.options.argument != NULL)
        doctor_look_at_model(&doctor.findings, doctor.options.argument);
    else
        look_at_machine(&doctor);
    bool ok = findings_print(&doctor.findings) && doctor.findings.n_broken == 0;
    findings_release(&doctor.findings);
    return ok ? EXIT_OK : EXIT_FAILED;
}

const struct subcommand doctor_command = {
    "doctor",
    "[FOLDER]",
    "what this machine, or a model's folder, has and lacks",
    doctor_main,
    rows,
    .notes = "With a model's folder it says what is wrong with the model, and how to repair it.\n\n"
             "exit code: 0 exercises can be graded here (the model can be used), 1 they can't",
};
