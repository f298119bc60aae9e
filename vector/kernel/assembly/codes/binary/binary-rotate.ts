// SPDX-License-Identifier: Apache-2.0
/**
 * Rotates a vector at random, in place. Rotated vectors keep their lengths and angles, and no component carries more information than
 * another. Four times, signs are flipped at random and a fast Hadamard transform mixes the components (N. Ailon, B. Chazelle, The fast
 * Johnson-Lindenstrauss transform, 2009). The transform needs a power of two, so it alternates between the first and the last components.
 * In between, each component is rotated by 45 degrees with the one half a vector further on, to reach what the transform does not (the
 * random walk of M. Kac, Foundations of kinetic theory, 1956). So vectors are padded to whole words of bits only, as in the library of
 * RaBitQ's authors.
 */
const ROUNDS: u32 = 4;
const SQRT_HALF: f32 = 0.70710678;

/** `values` holds `count` float32, a multiple of 64. */
export function rotate(values: usize, count: u32, seed: u32): void {
  const mixed: u32 = 1 << (31 - clz(count));
  const shortening: f32 = <f32>(1 / Math.sqrt(mixed));
  for (let round: u32 = 0; round < ROUNDS; round++) {
    flip(values, count, <u64>seed + <u64>round * 0xd1342543de82ef95);
    const first = values + ((round & 1) != 0 ? (count - mixed) << 2 : 0);
    transform(first, mixed);
    shorten(first, mixed, shortening);
    if (mixed != count) rotateHalves(values, count >> 1);
  }
}

/** The generator SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, 2014): 64 signs at a time. */
function flip(values: usize, count: u32, state: u64): void {
  const lanes = i32x4(1, 2, 4, 8);
  for (let i: u32 = 0; i < count; i += 64) {
    state += 0x9e3779b97f4a7c15;
    let bits = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    for (const end = values + 256; values < end; values += 16, bits >>= 4) {
      const isFlipped = i32x4.eq(v128.and(i32x4.splat(<i32>bits), lanes), lanes);
      v128.store(values, v128.xor(v128.load(values), v128.and(isFlipped, i32x4.splat(i32.MIN_VALUE))));
    }
  }
}

/** The Hadamard transform of `count` components, a power of two of at least 64. It multiplies the length by the root of `count`. */
function transform(values: usize, count: u32): void {
  const end = values + (count << 2);
  const odd = i32x4(0, i32.MIN_VALUE, 0, i32.MIN_VALUE);
  const high = i32x4(0, 0, i32.MIN_VALUE, i32.MIN_VALUE);
  for (let at = values; at < end; at += 16) {
    const four = v128.load(at);
    const pairs = f32x4.add(v128.shuffle<f32>(four, four, 0, 0, 2, 2), v128.xor(v128.shuffle<f32>(four, four, 1, 1, 3, 3), odd));
    v128.store(at, f32x4.add(v128.shuffle<f32>(pairs, pairs, 0, 1, 0, 1), v128.xor(v128.shuffle<f32>(pairs, pairs, 2, 3, 2, 3), high)));
  }
  let step: usize = 16;
  // Two steps at once, which saves half of the loads.
  for (; step << 2 <= end - values; step <<= 2) {
    for (let start = values; start < end; start += step << 2) {
      for (let at = start; at < start + step; at += 16) {
        const a = v128.load(at), b = v128.load(at + step), c = v128.load(at + step * 2), d = v128.load(at + step * 3);
        const sumAb = f32x4.add(a, b), differenceAb = f32x4.sub(a, b), sumCd = f32x4.add(c, d), differenceCd = f32x4.sub(c, d);
        v128.store(at, f32x4.add(sumAb, sumCd));
        v128.store(at + step, f32x4.add(differenceAb, differenceCd));
        v128.store(at + step * 2, f32x4.sub(sumAb, sumCd));
        v128.store(at + step * 3, f32x4.sub(differenceAb, differenceCd));
      }
    }
  }
  for (; step << 1 <= end - values; step <<= 1) {
    for (let start = values; start < end; start += step << 1) {
      for (let at = start; at < start + step; at += 16) {
        const a = v128.load(at), b = v128.load(at + step);
        v128.store(at, f32x4.add(a, b));
        v128.store(at + step, f32x4.sub(a, b));
      }
    }
  }
}

function shorten(values: usize, count: u32, factor: f32): void {
  const factors = f32x4.splat(factor);
  for (const end = values + (count << 2); values < end; values += 16) v128.store(values, f32x4.mul(v128.load(values), factors));
}

function rotateHalves(values: usize, half: u32): void {
  const factors = f32x4.splat(SQRT_HALF);
  const other = half << 2;
  for (const end = values + other; values < end; values += 16) {
    const a = v128.load(values), b = v128.load(values + other);
    v128.store(values, f32x4.mul(f32x4.add(a, b), factors));
    v128.store(values + other, f32x4.mul(f32x4.sub(a, b), factors));
  }
}
