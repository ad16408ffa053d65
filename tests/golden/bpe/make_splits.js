#!/usr/bin/env node
// Writes splits.jsonl: texts, and how many bytes the pieces have into which four models cut them, by the regular
// expressions of JavaScript (V8 of Node.js 20). (?i:...) is written out, and \s is White_Space, as other engines have it.
//
// usage: node make_splits.js > splits.jsonl
"use strict";

const CONTRACTIONS = "'(?:[sS\u017f]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])";
const REST = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const LETTERS = "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|";
const STEPS = {
  gpt2: [GPT2],
  smollm: ["\\p{N}", GPT2],
  llama3: [CONTRACTIONS + LETTERS + "\\p{N}{1,3}" + REST],
  qwen2: [CONTRACTIONS + LETTERS + "\\p{N}" + REST],
};

const compile = (pattern) => new RegExp(
  pattern.replace(/\\s/g, "\\p{White_Space}").replace(/\\S/g, "\\P{White_Space}"), "gu");

// What a pattern matches, and what lies between.
function cut(pattern, text) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(compile(pattern))) {
    pieces.push(text.slice(at, match.index), match[0]);
    at = match.index + match[0].length;
  }
  pieces.push(text.slice(at));
  return pieces.filter((piece) => piece !== "");
}

const split = (steps, text) => steps.reduce((pieces, step) => pieces.flatMap((piece) => cut(step, piece)), [text]);

// A stream of numbers of our own (mulberry32), so that the file is the same on every machine.
let seed = 15;
function random(n) {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
}

const WRITTEN = [
  "", " ", "  ", "Hello shiny sun!", "I've we'LL they'Re IT'S don't'd 'S 's '\u017f", "a  b   c\t\td \n e\r\n\r\nf  ",
  "1234567 12,345.678 3.14 \u0663\u0664\u0665 \u2167 \u00bd", "x1y22z333", "foo_bar(baz);\n\n\tif (x) {\n        y++;\n    }",
  "  leading, trailing  ", "\u00a0nbsp\u2003em\u3000ideographic\u0085nel\u2028line\u180emongolian\ufefffeff\u200bzero",
  "caf\u00e9 cafe\u0301 na\u00efve", "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0 \u3067\u3059\u3002", "\u0939\u093f\u0928\u094d\u0926\u0940",
  "\ud83d\ude00\ud83d\ude00 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67", "...!!! ?!\n--\n\n##", "'", "''s", "'sing 'till", "\u001c\u001d\u001e\u001f",
];
const PARTS = [" ", " ", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2009", "\u3000", "'", "'s", "'T", "'Ll", "'re", "a", "Bc", "the", "\u00e9", "e\u0301",
  "\u0416", "\u4e2d", "\u0e01", "\u0905", "1", "23", "4567", "\u0664", "\u216b", "\u00b2", ".", ",", "!?", "_", "-", "(", "\ud83d\ude00", "\u200d", "\u0000", "\u007f"];
const made = Array.from({length: 300}, () => Array.from({length: 1 + random(14)}, () => PARTS[random(PARTS.length)]).join(""));

for (const text of [...WRITTEN, ...made]) {
  const line = {utf8_hex: Buffer.from(text).toString("hex")};
  for (const [model, steps] of Object.entries(STEPS))
    line[model] = split(steps, text).map((piece) => Buffer.byteLength(piece));
  console.log(JSON.stringify(line));
}
