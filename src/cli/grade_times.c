/* What grading took: see grade_times.h. */
#include "cli/grade_times.h"

#include <stdio.h>
#include <sys/resource.h>

#include "sandbox/box.h"
#include "sandbox/system.h"

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

void grade_times_tell(size_t n_files, uint64_t ms, uint64_t build_us)
{
    struct rusage own;
    if (getrusage(RUSAGE_SELF, &own) != 0)
        return;
    double seconds = (double)ms / 1e3, build_s = (double)build_us / 1e6;
    double all_s =
        seconds_of(own.ru_utime) + seconds_of(own.ru_stime) + (double)box_all_cpu_us() / 1e6;
    fprintf(stderr,
            "attn: %zu files in %.1f s, %.2f a second; processor time %.1f s, %.0f %% of it the "
            "compiler's and the linker's; at most %.0f MiB of memory\n",
            n_files, seconds, seconds > 0 ? (double)n_files / seconds : 0, all_s,
            all_s > 0 ? 100 * build_s / all_s : 0, (double)system_peak_bytes() / 0x1p20);
}
