/* ONNX Runtime: one operator as a whole model, MultiHeadAttention (com.microsoft) or Attention
 * (opset 23), as the argument says. The session's native object is called directly, because the
 * promise around it costs more than a short call. Files: onnx.proto names the fields written here. */
'use strict';
const fs = require('fs');
const path = require('path');

const folder = process.env.ATTN_BENCH_PEERS;
const ort = require(path.join(folder, 'node_modules/onnxruntime-node'));
const { binding, initOrt } = require(path.join(folder, 'node_modules/onnxruntime-node/dist/binding.js'));
const n_threads = Number(process.env.OMP_NUM_THREADS || 1);
/* As OMP_PROC_BIND: each thread but the first has a processor of its own. */
const apart = process.env.OMP_PROC_BIND
  ? { session: { intra_op_thread_affinities: Array.from({ length: n_threads - 1 }, (_, i) => i + 2).join(';') } } : {};

/* ---- the few shapes of protocol buffers that a model needs ---- */

function varint(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push(number % 128 + 128);
  return Buffer.from([...bytes, number]);
}
const whole = (field, number) => Buffer.concat([varint(field * 8), varint(number)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

const attribute = ([name, number]) => message(5, text(1, name), whole(3, number), whole(20, 2));
function tensor_info(field, name, shape) {
  const axes = shape.map((size) => message(1, whole(1, size)));
  return message(field, text(1, name), message(2, message(1, whole(1, 1), message(2, ...axes))));
}
function model(operator, domain, attributes, shapes) {
  const names = ['query', 'key', 'value'];
  const node = message(1, ...names.map((name) => text(1, name)), text(2, 'context'), text(4, operator),
    ...Object.entries(attributes).map(attribute), text(7, domain));
  const graph = message(7, node, text(2, 'attention'),
    ...names.map((name, i) => tensor_info(11, name, shapes[i])), tensor_info(12, 'context', shapes[0]));
  const opsets = [message(8, text(1, ''), whole(2, 23)), message(8, text(1, 'com.microsoft'), whole(2, 1))];
  return Buffer.concat([whole(1, 10), graph, ...opsets]);
}

/* ---- jobs ---- */

function mixed(number) {
  number = Math.imul(number, 0x9E3779B1);
  number ^= number >>> 15;
  number = Math.imul(number, 0x85EBCA77);
  return (number ^ number >>> 13) >>> 0;
}
/* worker_fill() of element order(i): the operators want their axes in different orders. */
function numbers(shape, stream, order) {
  const ret = new Float32Array(shape.reduce((a, b) => a * b)), begin = mixed(stream);
  const spread = Math.fround(3.4641016);
  for (let i = 0; i < ret.length; i++)
    ret[i] = ((mixed(i + begin) >>> 8) * 2 ** -24 - 0.5) * spread;
  return order ? ret.map((_, i) => ret[order(i)]) : ret;
}

/* (1, heads, n, d), or with the heads joined (1, n, heads * d). */
const joined = process.argv[2] === 'mha';
function operand(heads, n, d, stream) {
  if (!joined) return new ort.Tensor('float32', numbers([1, heads, n, d], stream), [1, heads, n, d]);
  const order = (i) => (Math.floor(i / d) % heads * n + Math.floor(i / d / heads)) * d + i % d;
  return new ort.Tensor('float32', numbers([1, heads, n, d], stream, order), [1, n, heads * d]);
}

function forward({ heads, q, k, d, causal }) {
  const feeds = { query: operand(heads, q, d, 1), key: operand(heads, k, d, 2), value: operand(heads, k, d, 3) };
  const shapes = Object.values(feeds).map((tensor) => tensor.dims);
  const file = joined
    ? model('MultiHeadAttention', 'com.microsoft', { num_heads: heads, unidirectional: causal }, shapes)
    : model('Attention', '', { is_causal: causal }, shapes);
  const session = new binding.InferenceSession();
  session.loadModel(file.buffer, file.byteOffset, file.byteLength,
    { intraOpNumThreads: n_threads, interOpNumThreads: 1, graphOptimizationLevel: 'all', extra: apart });
  const context = new ort.Tensor('float32', new Float32Array(heads * q * d), shapes[0]);
  const call = () => session.run(feeds, { context }, {});
  /* Where element number i of (heads, q, d) lies. */
  const at = (i) => !joined ? i : Math.floor(i / d) % q * heads * d + Math.floor(i / d / q) * d + i % d;
  return { call, output: context.data, at };
}

const now = () => Number(process.hrtime.bigint());
function processor_time() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}
function calls(call, n, by_wall) {
  const wall = now(), processor = processor_time();
  for (let i = 0; i < n; i++) call();
  const of_processor = processor_time() - processor, on_wall = now() - wall;
  return (by_wall || of_processor < 1e6 ? on_wall : of_processor) / n;
}
/* round_ns() of worker.c. */
function round({ call, by_wall }, budget) {
  const begin = now();
  let best = calls(call, 1, by_wall), spent = 0;
  if (best >= budget && !by_wall) return best;
  const n = best < 1e5 ? Math.floor(1e5 / (best + 1)) + 1 : 1;
  do {
    const sample = calls(call, n, by_wall);
    best = spent > 0 ? Math.min(best, sample) : sample;
    spent += best * n;
  } while (spent < budget && now() - begin < 10 * budget);
  return best;
}
function check({ output, at }) {
  const n = output.length;
  return [0, Math.floor(n / 2), n - 1].map((i) => output[at(i)]).concat(n).join(' ');
}
function write({ output, at }, file) {
  const ordered = output.map((_, i) => output[at(i)]);
  fs.writeFileSync(file, Buffer.from(ordered.buffer));
  return 'ok';
}

let jobs = {};
function answer(line) {
  const [word, id, ...rest] = line.split(' ');
  if (word === 'memory') return process.resourceUsage().maxRSS * 1024;
  if (word === 'drop') return jobs = {}, 'ok';
  if (word === 'round') return round(jobs[id], Number(rest[0]) * 1e9);
  if (word === 'check') return check(jobs[id]);
  if (word === 'write') return write(jobs[id], rest.join(' '));
  if (word !== 'prepare' || rest[0] !== 'forward') return 'no such operation';
  const request = Object.fromEntries(rest.slice(1).map((pair) => pair.split('=')).map(([k, v]) => [k, Number(v)]));
  jobs[id] = { ...forward({ causal: 0, ...request }), by_wall: request.threads > 1 };
  return 'ok';
}

initOrt();
let waiting = '';
const piece = Buffer.alloc(4096);
for (let size; (size = fs.readSync(0, piece, 0, piece.length)) > 0;) {
  waiting += piece.toString('utf8', 0, size);
  for (let end; (end = waiting.indexOf('\n')) >= 0; waiting = waiting.slice(end + 1)) {
    let said;
    try {
      said = answer(waiting.slice(0, end));
    } catch (error) {
      said = `no ${String(error.message).replace(/\s+/g, ' ').slice(0, 200)}`;
    }
    fs.writeSync(1, `${said}\n`);
  }
}
