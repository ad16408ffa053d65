"""What bench_attention.py, bench_gemm.py, bench_elementwise.py and bench_model.py share: options, what the
machine can do at most, and a case measured in turns.

In the environment: ATTN_BENCH_PROGRAMS  the folder of attn's own workers
                    ATTN_BENCH_FOLDER    a folder for the peers
"""
import argparse
import os
from pathlib import Path

from kernels.tables import Report
from kernels.workers import PEERS, Entry, Workers, instructions, interleave, processor

ROOT = Path(__file__).resolve().parent.parent.parent.parent
MEGABYTES_256 = 1 << 28


class Effort:
    """How much is measured: rounds a case, seconds a round at least, seconds a case at most."""

    def __init__(self, rounds, budget, cap, stream_bytes=MEGABYTES_256):
        self.rounds, self.budget, self.cap, self.stream_bytes = rounds, budget, cap, stream_bytes


OURS = "attn", "model", "lang"

EFFORTS = {"smoke": Effort(1, 0.0005, 5, 1 << 20), "quick": Effort(4, 0.02, 6), "all": Effort(6, 0.05, 40)}


def numbers_of(text):
    return [int(word) for word in text.split(",")]


def options(description, tables):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--peers", action="store_true", help="beside other libraries, which ./dev installs")
    parser.add_argument("--all", action="store_true", help="every size, and for longer")
    parser.add_argument("--smoke", action="store_true", help="as little as possible: does it run?")
    parser.add_argument("--json", action="store_true", help="all that was measured, for programs")
    parser.add_argument("--table", type=lambda text: text.split(","), default=list(tables), metavar="NAME,...",
                        help="only these of " + ", ".join(tables))
    parser.add_argument("--threads", type=numbers_of, metavar="N,...")
    parser.add_argument("--sizes", type=numbers_of, metavar="N,...")
    parser.add_argument("--dims", type=numbers_of, metavar="D,...", help="of the heads")
    parser.add_argument("--rounds", type=int, metavar="N")
    parser.add_argument("--isa", choices=["plain", "sse2", "avx2", "avx512", "neon"],
                        help="the instructions of attn and, but for ONNX Runtime, of the peers")
    parser.add_argument("--ahead", action="store_true",
                        help="before all else that runs on this machine (nice -19; as root): what several threads "
                        "take can't be told on a busy one")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PEERS), metavar="PEER,...",
                        help="only these of " + ", ".join(PEERS))
    chosen = parser.parse_args()
    unknown = [name for name in chosen.table if name not in tables]
    if unknown:
        parser.error(f"no table {unknown[0]}; there are {', '.join(tables)}")
    return chosen


class Bench:
    def __init__(self, chosen, peers):
        self.chosen = chosen
        self.mode = "smoke" if chosen.smoke else "all" if chosen.all else "quick"
        self.effort = EFFORTS[self.mode]
        if chosen.rounds:
            self.effort.rounds = chosen.rounds
        self.report = Report(chosen.json)
        programs = Path(os.environ.get("ATTN_BENCH_PROGRAMS", ROOT / "build" / "tests"))
        folder = Path(os.environ.get("ATTN_BENCH_FOLDER", ROOT / "build" / "peers"))
        self.workers = Workers(programs, folder, chosen.peers, chosen.ahead)
        self.peers = [name for name in peers if self.workers.has(name) and name in chosen.only]
        self.threads = chosen.threads or ([1, 2] if self.mode == "all" else [1])
        self.peaks = {}  # by threads: the entry's name, operation, numbers, and operations a call
        self.describe()
        missing = {name: why for name, why in self.workers.missing.items() if name in peers}
        self.report.machine["left_out"] = missing
        for name, why in missing.items() if chosen.peers else ():
            self.report.say(f"left out: {PEERS[name][0]}: {why}")

    def pick(self, smoke, quick, everything):
        return {"smoke": smoke, "quick": quick, "all": everything}[self.mode]

    def entry(self, name, operation, numbers, threads=1, isa=None):
        return Entry(self.workers, name, operation, numbers, threads, isa or self.chosen.isa)

    def measure(self, entries):
        """Fills the entries in turns. One that computed something else than the first is left out."""
        effort = self.effort
        interleave(self.workers, entries, effort.rounds, effort.budget, effort.cap)
        for entry in entries:
            what = PEERS[entry.name][0] if entry.name in PEERS else entry.name
            if entry.line[0] == entries[0].line[0] and entry.differs_from(self.twin(entries, entry)):
                entry.reason = "computes something else"
            if entry.reason:
                causal = ", causal" if entry.line[1].get("causal") else ""
                self.report.note(f"{what}{causal}: {entry.reason}")

    @staticmethod
    def twin(entries, entry):
        """attn's entry of the same job."""
        return next((other for other in entries if other.name in OURS and other.line == entry.line), entry)

    # ---- the machine ----

    def describe(self):
        report, machine = self.report, self.report.machine
        machine.update(processor=processor(), cores=os.cpu_count(), instructions=instructions(),
                       load=os.getloadavg()[0])
        report.say(f"{machine['processor']}, {machine['cores']} cores ({' '.join(machine['instructions'])}), "
                   f"load {machine['load']:.1f} at the start")
        for threads in self.threads:
            self.find_peak(threads)
            self.find_bandwidth(threads)

    def find_peak(self, threads):
        """Multiply-adds in registers, and OpenBLAS's best product, which the tables are held against."""
        count = self.entry("machine", "operations", {})
        fma = self.entry("machine", "fma", {}, threads)
        sizes = self.pick([128], [512, 1024], [512, 1024, 2048]) if self.workers.has("BLAS") else []
        products = [self.entry("BLAS", "gemm", {"rows": n, "cols": n, "inner": n}, threads) for n in sizes]
        self.measure([count, fma, *products])
        operations = count.output[0] * threads
        rates = {n: 2 * n ** 3 / entry.best for n, entry in zip(sizes, products) if entry.best}
        best = max(rates, key=rates.get, default=None)
        if best:
            self.peaks[threads] = "BLAS", *products[sizes.index(best)].line, 2 * best ** 3
        else:
            self.peaks[threads] = "machine", *fma.line, operations
        said = {"fma_gflops": operations / fma.best / 1e9, "sgemm_gflops": rates[best] / 1e9 if best else None,
                "sgemm_size": best}
        self.report.machine[f"threads_{threads}"] = said
        sgemm = f", OpenBLAS's sgemm {said['sgemm_gflops']:.0f} (n = {best})" if best else ""
        self.report.say(f"{counted(threads)}: multiply-adds in registers {said['fma_gflops']:.0f} GFLOP/s{sgemm}")

    def find_bandwidth(self, threads):
        size = self.effort.stream_bytes
        read, triad = (self.entry("machine", kind, {"bytes": size}, threads) for kind in ("read", "triad"))
        self.measure([read, triad])
        said = {"read_gbs": size / read.best / 1e9, "triad_gbs": size // 12 * 12 / triad.best / 1e9}
        self.report.machine[f"threads_{threads}"].update(said)
        self.report.say(f"{counted(threads)}: over {size >> 20} MB, reading {said['read_gbs']:.1f} GB/s, "
                        f"a = b + s c {said['triad_gbs']:.1f} GB/s")

    def peak_entry(self, threads):
        name, operation, numbers, _ = self.peaks[threads]
        return self.entry(name, operation, {key: numbers[key] for key in numbers if key != "threads"}, threads)

    def percent_of_peak(self, threads, entry, peak, work):
        """Of the operations a second that the peak's entry did in the same turns."""
        speedup = entry.speedup(peak)
        return 100 * speedup * work / self.peaks[threads][3] if speedup else None

    def peak_name(self):
        return "%sgemm" if self.workers.has("BLAS") else "%fma"

    def stream_entry(self, threads, size=None):
        return self.entry("machine", "read", {"bytes": size or self.effort.stream_bytes}, threads)

    def percent_of_stream(self, entry, stream, size):
        """Of the bytes a second that were read in order in the same turns."""
        speedup = entry.speedup(stream)
        return 100 * speedup * size / self.effort.stream_bytes if speedup else None

    def end(self):
        self.workers.end()
        self.report.finish()


def counted(threads):
    return f"{threads} thread{'s' if threads != 1 else ''}"


def compare(row, entries, work):
    """Puts into the row what each entry did a second, and how much more attn did than the best peer."""
    for entry in entries:
        row[entry.name] = work / entry.best / 1e9 if entry.best else None
    ours = [entry for entry in entries if entry.name in OURS and entry.best]
    others = [entry for entry in entries if entry.name not in OURS and entry.best]
    row["ratio"] = max(min(entry.speedup(other) for other in others) for entry in ours) if ours and others else None
    row["seconds"] = {entry.name: entry.seconds for entry in entries}
    return row


def run(description, peers, tables):
    """tables: a function of the Bench for each name."""
    bench = None
    try:
        bench = Bench(options(description, tables), peers)
        for name in bench.chosen.table:
            tables[name](bench)
    except KeyboardInterrupt:
        return 130
    finally:
        if bench:
            bench.end()
    return 0
