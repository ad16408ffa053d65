"""Workers: what is measured, each a process of its own that waits to be asked for a round.

While one works the others are stopped, so that no thread that spins waiting for work takes a
processor from it. worker.h says what is asked and answered.
"""
import ctypes
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PR_SET_PDEATHSIG = 1
NO_REASON = "stopped without a word"


def begin_apart(ahead):
    """Run in a new worker. If the driver dies while it is stopped, it ends: by Linux's own means, elsewhere as
    a group that nobody is left to wake. Linux shares processors out by session first, by process then."""
    if sys.platform != "linux":
        os.setpgrp()
        return
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if ahead:
        os.setpriority(os.PRIO_PROCESS, 0, -19)
        Path("/proc/self/autogroup").write_text("-19", encoding="ascii")


class Worker:
    def __init__(self, command, environment, ahead):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **environment},
            preexec_fn=lambda: begin_apart(ahead))
        self.signal(signal.SIGSTOP)

    def signal(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def ask(self, line):
        """The answer; where it is "no REASON" a LookupError with the reason."""
        self.signal(signal.SIGCONT)
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ""
        self.signal(signal.SIGSTOP)
        if not answer or answer.startswith("no "):
            raise LookupError(answer[3:] or NO_REASON)
        return answer

    def prepare(self, number, operation, numbers):
        self.ask(" ".join([f"prepare {number} {operation}"] + [f"{key}={value}" for key, value in numbers.items()]))

    def round(self, number, seconds):
        """Seconds a call."""
        return float(self.ask(f"round {number} {seconds}")) / 1e9

    def check(self, number):
        answer = self.ask(f"check {number}")
        return [float(word) for word in answer.split()] if answer != "nothing" else None

    def end(self):
        self.signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


# What keeps the peers to an instruction set; ONNX Runtime takes what it finds.
PEERS_ISA = {
    "avx2": {"OPENBLAS_CORETYPE": "Haswell", "ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2",
             "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"},
    "avx512": {"OPENBLAS_CORETYPE": "SkylakeX"},
}


def environment(threads, isa, own_threads):
    """What makes each of them use so many threads, and attn and OpenBLAS the same instructions."""
    names = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
    ret = {name: str(threads) for name in names}
    if 1 < threads <= (os.cpu_count() or 1) and not own_threads:
        ret["OMP_PROC_BIND"] = "true"  # woken threads would begin on one processor and wait for each other
    if isa:
        ret["ATTN_ISA"] = isa
        ret.update(PEERS_ISA.get(isa, {}))
    return ret


def compiled(name, folder, libraries):
    """The C peer, built where it is older than its source; a LookupError without what it needs."""
    program, sources = folder / f"{name}_worker", [HERE / f"{name}_worker.c", HERE / "worker.c"]
    newest = max(path.stat().st_mtime for path in [*sources, HERE / "worker.h"])
    if program.exists() and program.stat().st_mtime > newest:
        return [str(program)]
    # What gcc asks for before it does exp() in vectors; there is neither NaN nor infinity here.
    vectors = ["-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros", "-ffinite-math-only"]
    command = ["cc", "-std=gnu17", "-O3", "-march=native", *vectors, "-fopenmp", "-o", str(program),
               *map(str, sources), *libraries, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = next((line for line in done.stderr.splitlines() if "error" in line), "cc failed")
        raise LookupError(first.strip()[:100])
    return [str(program)]


def flags_of(package):
    done = subprocess.run(["pkg-config", "--cflags", "--libs", package], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LookupError(f"pkg-config knows no {package}")
    return done.stdout.split()


def python_with(module):
    """Debian's modules are of Debian's Python, which need not be the first on the path."""
    for python in (sys.executable, "/usr/bin/python3"):
        script = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
        if shutil.which(python) and subprocess.run([python, "-c", script], check=False).returncode == 0:
            return python
    raise LookupError(f"no Python here has {module}")


def onnx(form, folder):
    if not shutil.which("node"):
        raise LookupError("no node here")
    if not (folder / "node_modules" / "onnxruntime-node").exists():
        raise LookupError("no package onnxruntime-node here")
    return ["node", str(HERE / "onnx_worker.js"), form]


# What each column is, and the command of its worker.
PEERS = {
    "ortMHA": ("ONNX Runtime, MultiHeadAttention", lambda folder: onnx("mha", folder)),
    "ortAtt": ("ONNX Runtime, Attention of opset 23", lambda folder: onnx("attention", folder)),
    "BLAS": ("OpenBLAS", lambda folder: compiled("blas", folder, flags_of("openblas"))),
    "oneDNN": ("oneDNN", lambda folder: compiled("dnnl", folder, ["-ldnnl"])),
    "torch": ("PyTorch", lambda folder: [python_with("torch"), str(HERE / "torch_worker.py")]),
    "numpy": ("numpy", lambda folder: [python_with("numpy"), str(HERE / "numpy_worker.py")]),
}


class Workers:
    """All workers of a run, each started when it is first asked for."""

    def __init__(self, programs, folder, with_peers, ahead=False):
        folder.mkdir(parents=True, exist_ok=True)
        own = "attn", "machine", "lang", "model", "train"
        self.commands = {name: [str(programs / f"bench_{name}_worker")] for name in own}
        self.environment = {"ATTN_BENCH_PEERS": str(folder.resolve())}
        self.ahead = ahead
        self.missing = {}  # name: why
        self.running = {}
        for name, (_, command) in PEERS.items():
            try:
                if not with_peers:
                    raise LookupError("not asked for")
                self.commands[name] = command(folder)
            except LookupError as error:
                self.missing[name] = str(error)

    def has(self, name):
        return name in self.commands

    def worker(self, name, threads, isa, operation):
        """OpenBLAS's own threads would all be where OpenMP puts the first of its."""
        own_threads = name in ("torch", "numpy") or (name == "BLAS" and operation == "gemm")
        key = name, threads, isa, own_threads
        if key not in self.running:
            given = {**self.environment, **environment(threads, isa, own_threads)}
            self.running[key] = Worker(self.commands[name], given, self.ahead)
        return self.running[key]

    def drop(self):
        for key, worker in list(self.running.items()):
            try:
                worker.ask("drop")
            except LookupError:
                self.running.pop(key).end()

    def forget(self, name, threads):
        """The next one asked for is a new process."""
        for key in [key for key in self.running if key[:2] == (name, threads)]:
            self.running.pop(key).end()

    def end(self):
        for worker in self.running.values():
            worker.end()


class Entry:
    """One job of one worker, and what its rounds took."""

    def __init__(self, workers, name, operation, numbers, threads=1, isa=None):
        self.name = name
        self.worker = workers.worker(name, threads, isa, operation)
        self.line = operation, {**numbers, "threads": threads}
        self.number = None
        self.seconds = []
        self.reason = None
        self.output = None

    def prepare(self, number):
        self.number = number
        self.ask(lambda: self.worker.prepare(number, *self.line))

    def round(self, budget):
        self.ask(lambda: self.seconds.append(self.worker.round(self.number, budget)))

    def look(self):
        def check():
            self.output = self.worker.check(self.number)
        self.ask(check)

    def ask(self, question):
        if self.reason:
            return
        try:
            question()
        except LookupError as error:
            self.reason = str(error)

    @property
    def best(self):
        return min(self.seconds, default=None) if not self.reason else None

    def speedup(self, other):
        """How many times as long the other took: the median over the turns, as a machine that is faster or
        slower for a moment is so for both."""
        times = [theirs / ours for ours, theirs in zip(self.seconds, other.seconds)]
        return statistics.median(times) if times and not self.reason and not other.reason else None

    def differs_from(self, other):
        """Float32 in another order differs in the last digits; another computation does not."""
        return self.output is not None and other.output is not None and any(
            not abs(a - b) <= 1e-3 * (1 + abs(b)) for a, b in zip(self.output, other.output))


def interleave(workers, entries, rounds, budget, cap):
    """Rounds in turns: each entry once, then each again. Ends early after `cap` seconds."""
    begin = time.monotonic()
    for number, entry in enumerate(entries):
        entry.prepare(number)
    for turn in range(rounds):
        if turn > 1 and time.monotonic() - begin > cap:
            break
        for entry in entries:
            entry.round(budget)
    for entry in entries:
        entry.look()
    workers.drop()


def processor():
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def instructions():
    """Which of attn's ISAs beyond the baseline the processor has."""
    try:
        words = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return []
    return [isa for isa, flags in (("avx2", {"avx2", "fma"}), ("avx512", {"avx512f", "avx512dq"})) if flags <= words]
