// SPDX-License-Identifier: Apache-2.0
/**
 * Distances of binary codes. From a query, they are the unbiased estimate of RaBitQ (binary-codes.ts). Between two codes, they follow from
 * the share of signs in which the codes differ, which estimates the angle between them (M. Charikar, Similarity estimation techniques from
 * rounding algorithms, STOC 2002). Both estimate the true distance, so they can be compared with each other.
 */
import { orderOf } from '../../memory/keys';
import { CODE_HEADER_BYTES, PLANES, fineWords, signWords } from '../../memory/layout';

const ADDEND: usize = 0;
const FACTOR: usize = 4;
const LENGTH: usize = 8;

/** The query that was laid out last, or 0 where the query is a code; and the code of the query's own vector, where it has one. */
let laidOut: usize = 0;
let codeOfIt: usize = 0;

export function setLaidOut(point: usize, code: usize): void {
  laidOut = point;
  codeOfIt = code;
}

/** The distance from a code or the laid-out query to a code, as an unsigned integer with the order of the distances. */
export function binaryOrder(from: usize, to: usize): u32 {
  if (from != laidOut) return orderBetween(from, to);
  return orderFromPoint(from, to == from ? codeOfIt : to);
}

/** In which signs of a plane the words differ, weighted by the planes. */
// @ts-ignore: decorator
@inline function differing(bits: u32, planes: usize, signs: u64): u64 {
  let sum = popcnt<u64>(signs ^ load<u64>(planes)) + (popcnt<u64>(signs ^ load<u64>(planes, 8)) << 1)
    + (popcnt<u64>(signs ^ load<u64>(planes, 16)) << 2) + (popcnt<u64>(signs ^ load<u64>(planes, 24)) << 3);
  if (bits == 8) {
    sum += (popcnt<u64>(signs ^ load<u64>(planes, 32)) << 4) + (popcnt<u64>(signs ^ load<u64>(planes, 40)) << 5)
      + (popcnt<u64>(signs ^ load<u64>(planes, 48)) << 6) + (popcnt<u64>(signs ^ load<u64>(planes, 56)) << 7);
  }
  return sum;
}

// @ts-ignore: decorator
@inline function sumOfDiffering(bits: u32, planes: usize, signs: usize, words: u32): i32 {
  let sum: u64 = 0;
  for (const end = signs + (words << 3); signs < end; signs += 8, planes += bits << 3) sum += differing(bits, planes, load<u64>(signs));
  return <i32>sum;
}

/** The product of the query, in its units, with the vector that the code represents. */
// @ts-ignore: decorator
@inline function productWith(bits: u32, point: usize, code: usize): i32 {
  const steps: i32 = (1 << bits) - 1;
  const signs = code + CODE_HEADER_BYTES;
  const bySigns = (<i32>signWords << 6) * steps - (sumOfDiffering(bits, point + PLANES, signs, signWords) << 1);
  if (fineWords == 0) return bySigns << 1;
  const bySeconds = (<i32>fineWords << 6) * steps - (sumOfDiffering(bits, point + PLANES, signs + (signWords << 3), fineWords) << 1);
  return (bySigns << 1) + bySeconds;
}

function productWithFour(point: usize, code: usize): i32 { return productWith(4, point, code); }
function productWithEight(point: usize, code: usize): i32 { return productWith(8, point, code); }

function orderFromPoint(point: usize, code: usize): u32 {
  const product = load<u32>(point, LENGTH) == 4 ? productWithFour(point, code) : productWithEight(point, code);
  return finite(load<f32>(point, ADDEND) + load<f32>(code, ADDEND) - load<f32>(code, FACTOR) * (load<f32>(point, FACTOR) * <f32>product));
}

/** By the signs alone. */
function orderBetween(a: usize, b: usize): u32 {
  let differing: u64 = 0;
  const end = a + CODE_HEADER_BYTES + (signWords << 3);
  for (let from = a + CODE_HEADER_BYTES, to = b + CODE_HEADER_BYTES; from < end; from += 8, to += 8) {
    differing += popcnt<u64>(load<u64>(from) ^ load<u64>(to));
  }
  const signs = <i32>signWords << 6;
  const cosine = sineOfQuarterTurns(<f32>(signs - (<i32>differing << 1)) / <f32>signs);
  return finite(load<f32>(a, ADDEND) + load<f32>(b, ADDEND) - load<f32>(a, LENGTH) * load<f32>(b, LENGTH) * cosine);
}

// C. Hastings, Approximations for digital computers, 1955: the sine to eight digits.
const SINE_1: f32 = 1.57079631847;
const SINE_3: f32 = -0.64596371106;
const SINE_5: f32 = 0.07968967928;
const SINE_7: f32 = -0.00467376557;
const SINE_9: f32 = 0.00015148419;

/** The sine of a number of quarter turns, from -1 to 1. */
function sineOfQuarterTurns(turns: f32): f32 {
  const square = turns * turns;
  return turns * (SINE_1 + square * (SINE_3 + square * (SINE_5 + square * (SINE_7 + square * SINE_9))));
}

// @ts-ignore: decorator
@inline function finite(distance: f32): u32 { return orderOf(distance == distance ? distance : <f32>Infinity); }
