// SPDX-License-Identifier: Apache-2.0
/** Reads arrays of numbers in JSON text from bytes to float32, by a small WebAssembly module (`assembly/numbers.ts`). */
import { pooledFloat32 } from '@sextant/foundation-std';
import { compiledModule } from './compiled-module.ts';

type Global = { readonly value: number };

type NumbersExports = {
  readonly memory: WebAssembly.Memory;
  readonly powerMax: Global;
  readonly textAddress: Global;
  readonly textBytesMax: Global;
  readonly numbersAddress: Global;
  readonly position: Global;
  readonly first: Global;
  readonly count: Global;
  read(start: number, end: number, resumed: boolean): number;
};

/** What `read` returns. */
const ENDED = 0;
const HARD = 1;

const FLOAT32_MAX = 3.4028234663852886e38;
const ascii = new TextDecoder('latin1');

const module = instantiate();
const memory = new Uint8Array(module.memory.buffer);
const floats = new Float32Array(module.memory.buffer);
const textAddress = module.textAddress.value;
const firstFloat = module.numbersAddress.value >>> 2;

export type NumberArray = {
  readonly values: Float32Array;
  /** The position after the closing bracket. */
  readonly end: number;
};

/**
 * Returns a function that reads the array whose opening bracket is before the given position: its numbers as
 * `Math.fround(JSON.parse(text))` has them. That function returns undefined for what is not a JSON array of at least one and at most 65,536
 * numbers within the range of float32, in at most 256 KiB of text. Use one at a time: all share one window of the module's memory.
 */
export function numberArraysOf(bytes: Uint8Array): (start: number) => NumberArray | undefined {
  let from = 0;
  let to = 0;
  const moveWindow = (start: number) => {
    from = start;
    to = Math.min(bytes.length, from + module.textBytesMax.value);
    memory.set(bytes.subarray(from, to), textAddress);
    memory[textAddress + to - from] = 0;
  };
  return (start) => {
    if (start < from || start >= to) moveWindow(start);
    const found = readWindow(start - from, to - from);
    if (found !== undefined) return { values: found.values, end: from + found.end };
    if (from === start || to === bytes.length) return undefined;
    // Perhaps only the window cut it off.
    moveWindow(start);
    const whole = readWindow(0, to - from);
    return whole && { values: whole.values, end: from + whole.end };
  };
}

function readWindow(start: number, end: number): NumberArray | undefined {
  const textEnd = textAddress + end;
  let outcome = module.read(textAddress + start, textEnd, false);
  while (outcome === HARD) {
    const value = Number(ascii.decode(memory.subarray(module.first.value, module.position.value)));
    if (!(Math.abs(value) <= FLOAT32_MAX)) return undefined;
    floats[firstFloat + module.count.value - 1] = value;
    outcome = module.read(module.position.value, textEnd, true);
  }
  if (outcome !== ENDED) return undefined;
  const values = pooledFloat32(module.count.value);
  values.set(floats.subarray(firstFloat, firstFloat + values.length));
  return { values, end: module.position.value - textAddress };
}

function instantiate(): NumbersExports {
  const compiled = compiledModule(new URL('../numbers.wasm', import.meta.url));
  // WebAssembly exports have no types of their own; the tests of this file exercise each of them.
  const exports = new WebAssembly.Instance(compiled, {}).exports as unknown as NumbersExports;
  const powers = new Float64Array(exports.memory.buffer, 0, exports.powerMax.value + 1);
  for (let power = 0; power < powers.length; power++) powers[power] = Number(`1e${power}`);
  return exports;
}
