// SPDX-License-Identifier: Apache-2.0
/**
 * Reference implementation of binary codes in plain TypeScript, equal to the last bit. For tests. See
 * assembly/codes/binary/binary-codes.ts.
 */
import { roundHalfEven } from './reference.ts';
import type { Metric } from './vector-space.ts';

type BinaryMetric = Exclude<Metric, 'manhattan' | 'cosine'>;

export type ReferenceCodebook = { readonly seed: number; readonly centre: Float32Array };

/** Signs and second bits, 1 or -1, and the three numbers before them. */
export type ReferenceCode = {
  readonly addend: number;
  readonly factor: number;
  readonly length: number;
  readonly signs: readonly number[];
  readonly seconds: readonly number[];
};

/** The level of each component: an odd number, at most the largest of `bits` bits and at least its negative. */
export type ReferencePoint = { readonly addend: number; readonly factor: number; readonly levels: readonly number[] };

const rounds = 4;
const sqrtHalf = Math.fround(Math.SQRT1_2);
const large = 0.9957;
const sines = [1.57079631847, -0.64596371106, 0.07968967928, -0.00467376557, 0.00015148419].map(Math.fround);

/** Random signs, a Hadamard transform of as many components as the largest power of two, and a mixture of both halves; four times. */
export function referenceRotate(values: Float32Array, seed: number): void {
  const mixed = 2 ** Math.floor(Math.log2(values.length));
  for (let round = 0; round < rounds; round++) {
    flip(values, (BigInt(seed) + BigInt(round) * 0xd1342543de82ef95n) & (2n ** 64n - 1n));
    const part = round % 2 === 0 ? values.subarray(0, mixed) : values.subarray(values.length - mixed);
    for (let step = 1; step < mixed; step *= 2) transformPairs(part, step);
    for (const [i, value] of part.entries()) part[i] = value * Math.fround(1 / Math.sqrt(mixed));
    if (mixed !== values.length) rotateHalves(values);
  }
}

function flip(values: Float32Array, seed: bigint): void {
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  let state = seed;
  for (let first = 0; first < values.length; first += 64) {
    state = wrap(state + 0x9e3779b97f4a7c15n);
    let bits = wrap((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    bits = wrap((bits ^ (bits >> 27n)) * 0x94d049bb133111ebn);
    bits ^= bits >> 31n;
    for (let i = 0; i < 64; i++) if (((bits >> BigInt(i)) & 1n) === 1n) values[first + i] = -(values[first + i] ?? 0);
  }
}

function transformPairs(values: Float32Array, step: number): void {
  for (let i = 0; i < values.length; i++) {
    if ((i & step) !== 0) continue;
    const [a = 0, b = 0] = [values[i], values[i + step]];
    values[i] = a + b;
    values[i + step] = a - b;
  }
}

function rotateHalves(values: Float32Array): void {
  const half = values.length / 2;
  for (let i = 0; i < half; i++) {
    const [a = 0, b = 0] = [values[i], values[i + half]];
    values[i] = Math.fround(a + b) * sqrtHalf;
    values[i + half] = Math.fround(a - b) * sqrtHalf;
  }
}

/** The rotated difference between the vector and the centre, and its part of the distance. */
function rotateDifference(
  metric: BinaryMetric,
  vector: Float32Array,
  { seed, centre }: ReferenceCodebook,
): { rotated: Float32Array; addend: number } {
  const rotated = centre.map((middle, i) => (i < vector.length ? (vector[i] ?? 0) - middle : 0));
  referenceRotate(rotated, seed);
  const product = vector.reduce((sum, value, i) => sum + value * (centre[i] ?? 0), 0);
  const addend = metric === 'dot' ? Math.fround(squareOf(centre) / 2) - product : squareOf(rotated);
  return { rotated, addend: Math.fround(addend) };
}

export function referenceBinaryCode(
  metric: BinaryMetric,
  vector: Float32Array,
  codebook: ReferenceCodebook,
  secondCount: number,
): ReferenceCode {
  const { rotated, addend } = rotateDifference(metric, vector, codebook);
  const square = squareOf(rotated);
  const threshold = Math.fround(large * Math.sqrt(square / rotated.length));
  const isLarge = Array.from(rotated.subarray(0, secondCount), (value) => Math.abs(value) >= threshold);
  const signs = Array.from(rotated, (value) => (value >= 0 ? 1 : -1));
  const along =
    2 * sumOf(rotated, (value) => Math.abs(value)) +
    sumOf(rotated.subarray(0, secondCount), (value, i) => (isLarge[i] ? Math.abs(value) : -Math.abs(value)));
  const twice = metric === 'dot' ? 1 : 2;
  return {
    addend,
    factor: along > 0 ? Math.fround((twice * square) / along) : 0,
    length: Math.fround(Math.sqrt(twice * square)),
    signs,
    seconds: isLarge.map((value, i) => (value ? 1 : -1) * (signs[i] ?? 1)),
  };
}

export function referenceBinaryPoint(
  metric: BinaryMetric,
  vector: Float32Array,
  codebook: ReferenceCodebook,
  bits: number,
): ReferencePoint {
  const { rotated, addend } = rotateDifference(metric, vector, codebook);
  const steps = 2 ** bits - 1;
  const largest = rotated.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const factor = largest > 0 ? Math.fround(steps / Math.fround(largest * 2)) : 0;
  const levels = Array.from(rotated, (value) => {
    const scaled = Math.fround(Math.fround(value * factor) + steps / 2);
    return 2 * Math.max(0, Math.min(steps, roundHalfEven(scaled))) - steps;
  });
  return { addend, factor: Math.fround(largest / steps), levels };
}

/** The distance from a query to a code, as the code estimates it. */
export function referenceEstimate(point: ReferencePoint, code: ReferenceCode): number {
  const sum = (signs: readonly number[]) => signs.reduce((total, sign, i) => total + sign * (point.levels[i] ?? 0), 0);
  const product = Math.fround(2 * sum(code.signs) + sum(code.seconds));
  const common = Math.fround(code.factor * Math.fround(point.factor * product));
  return Math.fround(Math.fround(point.addend + code.addend) - common);
}

/** The distance between two codes, as their signs estimate it. */
export function referenceBetween(a: ReferenceCode, b: ReferenceCode): number {
  const differing = a.signs.filter((sign, i) => sign !== b.signs[i]).length;
  const turns = Math.fround((a.signs.length - 2 * differing) / a.signs.length);
  const square = Math.fround(turns * turns);
  const sine = sines.reduceRight((sum, coefficient) => Math.fround(coefficient + Math.fround(square * sum)), 0);
  const common = Math.fround(Math.fround(a.length * b.length) * Math.fround(turns * sine));
  return Math.fround(Math.fround(a.addend + b.addend) - common);
}

function squareOf(values: Float32Array): number {
  return sumOf(values, (value) => value * value);
}

/** In four sums, as the kernel's lanes add. */
function sumOf(values: Float32Array, termOf: (value: number, index: number) => number): number {
  const lanes = [0, 0, 0, 0];
  for (const [i, value] of values.entries()) lanes[i % 4] = (lanes[i % 4] ?? 0) + termOf(value, i);
  const [a = 0, b = 0, c = 0, d = 0] = lanes;
  return a + b + (c + d);
}
