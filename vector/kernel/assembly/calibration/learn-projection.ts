// SPDX-License-Identifier: Apache-2.0
/**
 * Learns the directions of reduced codes: the first principal components of a sample of codes. It uses orthogonal iteration (Golub and Van
 * Loan, Matrix Computations, section 8.2.4): the directions are multiplied by the covariance of the sample and made orthogonal again, a few
 * times. Only their span matters, so they need not be exact.
 */
import { DIRECTION_MAX, meanCode, setComponent, setExcesses } from '../codes/reduced/projection';
import { wholeCode } from '../codes/scalar/scalar-codes';
import { allocate, release } from '../memory/allocator';
import { pointBytes, vectorOf } from '../memory/layout';
import { query } from '../memory/workspace';
import { isInTrial } from './trial';

/**
 * Components that one multiplication reads, which bounds its time, and the least number of rows whatever their length. The sample needs
 * many more rows than directions: on 69,000 Fashion-MNIST images 252 directions find 0.932 of the nearest with ef 10 when they are learned
 * from sixteen rows each, and 0.917 when from four.
 */
const SAMPLE_COMPONENTS: u32 = 1 << 19;
const SAMPLE_ROWS_MIN: u32 = 256;
const ROWS_FOR_DIRECTION: u32 = 16;
const ITERATIONS: u32 = 3;
/** One in so many rows of the sample is projected to learn how large projections become. */
const PROJECTED_STEP: u32 = 8;
/** Rows that are multiplied together, so that they share loads. */
const ROWS: u32 = 4;
/** Directions of one multiplication: more of them take more memory for the products, fewer read the sample more often. */
const GROUP: u32 = 64;
/** A vector is in the span of the others when less than this share of its square is left. */
const SPANNED_MAX: f32 = 1e-10;

let projector: usize = 0;
let directions: u32 = 0;
let rowBound: u32 = 0;
let step: u32 = 1;
let random: u64 = 1;
// Float32 components, in units of codes: the codes at hand, the directions, and the products of a group of them.
let points: usize = 0;
let basis: usize = 0;
let image: usize = 0;

// @ts-ignore: decorator
@inline function vectorBytes(): u32 { return pointBytes << 2; }
// @ts-ignore: decorator
@inline function scratchBytes(): u32 { return vectorBytes() * (ROWS + directions + GROUP); }

/**
 * Begins with the mean and with one row for each direction, from the rows that take part in the trial. Returns false where there is no
 * memory.
 */
export function beginProjection(target: usize, count: u32, bound: u32): bool {
  projector = target;
  directions = count;
  rowBound = bound;
  step = max<u32>(1, bound / max<u32>(max<u32>(SAMPLE_ROWS_MIN, count * ROWS_FOR_DIRECTION), SAMPLE_COMPONENTS / pointBytes));
  points = allocate(scratchBytes());
  if (points == 0) return false;
  basis = points + vectorBytes() * ROWS;
  image = basis + vectorBytes() * directions;
  learnMean();
  begin();
  return true;
}

export function endProjection(): void {
  release(points, scratchBytes());
}

/** Moves the directions towards the principal components. */
export function convergeDirections(): void {
  for (let i: u32 = 0; i < ITERATIONS; i++) {
    orthogonalise();
    for (let first: u32 = 0; first < directions; first += GROUP) {
      multiplyGroup(basis + first * vectorBytes(), min(GROUP, directions - first));
    }
  }
  orthogonalise();
}

/** The product of one direction does not depend on the others, until all are made orthogonal again. */
function multiplyGroup(group: usize, count: u32): void {
  memory.fill(image, 0, vectorBytes() * count);
  multiply(group, count);
  memory.copy(group, image, vectorBytes() * count);
}

/** A code of all components, which the row itself may not have. */
function wholeCodeOf(row: u32): usize {
  return wholeCode(vectorOf(row), query);
}

function learnMean(): void {
  memory.fill(points, 0, vectorBytes());
  let count: f32 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isInTrial(row)) continue;
    count++;
    const code = wholeCodeOf(row);
    for (let i: u32 = 0; i < pointBytes; i += 4) {
      v128.store(points + (i << 2), f32x4.add(v128.load(points + (i << 2)), f32x4.convert_i32x4_s(fourBytes(code + i))));
    }
  }
  const mean = meanCode(projector, directions);
  for (let i: u32 = 0; i < pointBytes; i++) store<i8>(mean + i, <i8>nearest(load<f32>(points + (i << 2)) / max<f32>(count, 1)));
}

// @ts-ignore: decorator
@inline function fourBytes(address: usize): v128 {
  return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_splat(address)));
}

/** Writes the difference between the row's code and the mean. */
function centre(row: u32, target: usize): void {
  const code = wholeCodeOf(row);
  const mean = meanCode(projector, directions);
  for (let i: u32 = 0; i < pointBytes; i += 4) {
    v128.store(target + (i << 2), f32x4.convert_i32x4_s(i32x4.sub(fourBytes(code + i), fourBytes(mean + i))));
  }
}

/**
 * Numbers from -1 to 1, the same for each projection: Knuth's linear congruential generator, The Art of Computer Programming 2, section
 * 3.3.4.
 */
function nextRandom(): f32 {
  random = random * 6364136223846793005 + 1442695040888963407;
  return <f32>(<i32>(random >> 32)) / 2147483648;
}

/** Begins with rows from the whole space, which lie near the wanted directions. A little noise separates equal ones. */
function begin(): void {
  random = 1;
  for (let i: u32 = 0; i < directions; i++) {
    const vector = basis + i * vectorBytes();
    memory.fill(vector, 0, vectorBytes());
    let row = <u32>((<u64>rowBound * i) / directions);
    while (row < rowBound && !isInTrial(row)) row++;
    if (row < rowBound) centre(row, vector);
    for (let j: u32 = 0; j < pointBytes; j++) store<f32>(vector + (j << 2), load<f32>(vector + (j << 2)) + nextRandom());
  }
}

// @ts-ignore: decorator
@inline function laneSum(sum: v128): f32 {
  return f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
}

function product(a: usize, b: usize): f32 {
  let even = f32x4.splat(0), odd = f32x4.splat(0);
  for (const end = a + vectorBytes(); a < end; a += 32, b += 32) {
    even = f32x4.add(even, f32x4.mul(v128.load(a), v128.load(b)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(a, 16), v128.load(b, 16)));
  }
  return laneSum(f32x4.add(even, odd));
}

/** Adds a multiple of the first `bytes` of a vector to another. */
function addMultiple(target: usize, vector: usize, bytes: u32, factor: f32): void {
  const factors = f32x4.splat(factor);
  for (const end = target + bytes; target < end; target += 16, vector += 16) {
    v128.store(target, f32x4.add(v128.load(target), f32x4.mul(v128.load(vector), factors)));
  }
}

function scaleBy(vector: usize, factor: f32): void {
  const factors = f32x4.splat(factor);
  for (const end = vector + vectorBytes(); vector < end; vector += 16) v128.store(vector, f32x4.mul(v128.load(vector), factors));
}

/**
 * Multiplies a group of directions by the covariance of the sample, four rows at a time. Rows that are missing from the last four are zero.
 */
function multiply(group: usize, directionCount: u32): void {
  let count: u32 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!isInTrial(row)) continue;
    centre(row, points + count * vectorBytes());
    if (++count < ROWS) continue;
    multiplyFour(group, directionCount);
    count = 0;
  }
  if (count == 0) return;
  memory.fill(points + count * vectorBytes(), 0, (ROWS - count) * vectorBytes());
  multiplyFour(group, directionCount);
}

function multiplyFour(group: usize, count: u32): void {
  const bytes = vectorBytes();
  const b = points + bytes, c = b + bytes, d = c + bytes;
  for (let i: u32 = 0; i < count; i++) {
    const from = group + i * bytes, to = image + i * bytes;
    let sa = f32x4.splat(0), sb = f32x4.splat(0), sc = f32x4.splat(0), sd = f32x4.splat(0);
    for (let at: u32 = 0; at < bytes; at += 16) {
      const component = v128.load(from + at);
      sa = f32x4.add(sa, f32x4.mul(component, v128.load(points + at)));
      sb = f32x4.add(sb, f32x4.mul(component, v128.load(b + at)));
      sc = f32x4.add(sc, f32x4.mul(component, v128.load(c + at)));
      sd = f32x4.add(sd, f32x4.mul(component, v128.load(d + at)));
    }
    const fa = f32x4.splat(laneSum(sa)), fb = f32x4.splat(laneSum(sb)), fc = f32x4.splat(laneSum(sc)), fd = f32x4.splat(laneSum(sd));
    for (let at: u32 = 0; at < bytes; at += 16) {
      const ab = f32x4.add(f32x4.mul(fa, v128.load(points + at)), f32x4.mul(fb, v128.load(b + at)));
      const cd = f32x4.add(f32x4.mul(fc, v128.load(c + at)), f32x4.mul(fd, v128.load(d + at)));
      v128.store(to + at, f32x4.add(v128.load(to + at), f32x4.add(ab, cd)));
    }
  }
}

/** Modified Gram-Schmidt process. A vector in the span of the others becomes zero. */
function orthogonalise(): void {
  for (let i: u32 = 0; i < directions; i++) {
    const vector = basis + i * vectorBytes();
    const before = product(vector, vector);
    for (let j: u32 = 0; j < i; j++) {
      const other = basis + j * vectorBytes();
      addMultiple(vector, other, vectorBytes(), -product(vector, other));
    }
    const square = product(vector, vector);
    scaleBy(vector, square > before * SPANNED_MAX ? 1 / Mathf.sqrt(square) : 0);
  }
}

/**
 * Rotates the directions at random within their span, so that each holds about as much of the variance as any other. It processes as many
 * components of all directions at a time as the memory of a group holds, each time with the same random numbers.
 */
export function mixDirections(): void {
  const start = random;
  const most = ((GROUP * vectorBytes()) / directions) & ~15;
  for (let from: u32 = 0; from < vectorBytes(); from += most) {
    random = start;
    mixComponents(from, min(most, vectorBytes() - from));
  }
  orthogonalise();
}

/** Rotates the components in the `bytes` bytes from `from` on. */
function mixComponents(from: u32, bytes: u32): void {
  memory.fill(image, 0, bytes * directions);
  for (let i: u32 = 0; i < directions; i++) {
    for (let j: u32 = 0; j < directions; j++) addMultiple(image + i * bytes, basis + j * vectorBytes() + from, bytes, nextRandom());
  }
  for (let i: u32 = 0; i < directions; i++) memory.copy(basis + i * vectorBytes() + from, image + i * bytes, bytes);
}

/** Rounds the directions to bytes of one scale. Returns the units for the value one. */
export function storeDirections(): f64 {
  const values = directions * pointBytes;
  let largest: f32 = 0;
  for (let i: u32 = 0; i < values; i++) largest = max(largest, Mathf.abs(load<f32>(basis + (i << 2))));
  const scale: f32 = largest > 0 ? <f32>DIRECTION_MAX / largest : 1;
  for (let i: u32 = 0; i < directions; i++) {
    const vector = basis + i * vectorBytes();
    for (let j: u32 = 0; j < pointBytes; j++) setComponent(projector, directions, i, j, <i32>nearest(load<f32>(vector + (j << 2)) * scale));
  }
  setExcesses(projector, directions);
  return scale;
}

/** The root mean square of the sample's projections, at least one unit of a code. */
export function meanProjection(): f64 {
  let squares: f64 = 0;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step * PROJECTED_STEP) {
    if (!isInTrial(row)) continue;
    centre(row, points);
    for (let i: u32 = 0; i < directions; i++) {
      const projection = <f64>product(points, basis + i * vectorBytes());
      squares += projection * projection;
    }
    count += directions;
  }
  return count > 0 ? max(1, Math.sqrt(squares / count)) : 1;
}
