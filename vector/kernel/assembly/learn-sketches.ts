/**
 * Learns the directions that sketches are made by: those in which a sample of the codes differs most, its first principal components. Orthogonal
 * iteration (Golub and Van Loan, Matrix Computations, section 8.2.4): vectors of the sample are multiplied by its covariance and made
 * orthogonal again, a few times. Only what the directions span matters, so they need not be exact.
 */
import { allocate, release } from './allocator';
import { SKETCH, codeOf, pointBytes } from './layout';
import { DIRECTIONS, DIRECTION_MAX, meanCode, setComponent, setExcesses, setUnits, sketcherBytes } from './sketch';
import { takesPart } from './trial';

/** Components read for one multiplication, which bounds the time of all to some hundredths of a second; and rows, however long they are. */
const SAMPLE_COMPONENTS: u32 = 1 << 19;
const SAMPLE_ROWS_MIN: u32 = 256;
const ITERATIONS: u32 = 3;
/** Of the sample's variance, the share that the directions must hold after one iteration. With less no trial has ever been passed: pictures of clothes reach 0.87. */
const SHARE_MIN: f64 = 0.9;
/** One row of so many of the sample says how much they hold. */
const SHARE_STEP: u32 = 8;
/** Projections beyond the longest of the sample by more than this are cut off. */
const REACH: f64 = 1.1;
/** What is left of a vector's square when the others span it. */
const SPANNED_MAX: f32 = 1e-10;

// In units of codes, float32 for each component: the code at hand, the directions, and what they become.
let point: usize = 0;
let basis: usize = 0;
let image: usize = 0;

// @ts-ignore: decorator
@inline function vectorBytes(): u32 { return pointBytes << 2; }
// @ts-ignore: decorator
@inline function stepOf(rowBound: u32): u32 { return max<u32>(1, rowBound / max<u32>(SAMPLE_ROWS_MIN, SAMPLE_COMPONENTS / pointBytes)); }

/** Learns from the codes of rows that take part in the trial; false where there is no memory, or where few directions do not say enough. */
export function learnSketches(rowBound: u32): bool {
  const bytes = vectorBytes() * (1 + DIRECTIONS * 2);
  point = allocate(bytes);
  if (load<u32>(SKETCH) == 0) store<u32>(SKETCH, <u32>allocate(sketcherBytes()));
  const learned = point != 0 && load<u32>(SKETCH) != 0 && learnDirections(rowBound, stepOf(rowBound));
  release(point, bytes);
  return learned;
}

function learnDirections(rowBound: u32, step: u32): bool {
  basis = point + vectorBytes();
  image = basis + vectorBytes() * DIRECTIONS;
  learnMean(rowBound, step);
  begin(rowBound);
  for (let i: u32 = 0; i < ITERATIONS; i++) {
    orthogonalise();
    if (i == 1 && shareHeld(rowBound, step * SHARE_STEP) < SHARE_MIN) return false;
    memory.fill(image, 0, vectorBytes() * DIRECTIONS);
    for (let row: u32 = 0; row < rowBound; row += step) if (takesPart(row)) multiply(row);
    memory.copy(basis, image, vectorBytes() * DIRECTIONS);
  }
  orthogonalise();
  setUnits(storeDirections(), longestProjection(rowBound, step) * REACH);
  return true;
}

function shareHeld(rowBound: u32, step: u32): f64 {
  let whole: f64 = 0;
  let held: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!takesPart(row)) continue;
    centre(row, point);
    whole += product(point, point);
    for (let i: u32 = 0; i < DIRECTIONS; i++) {
      const projection = <f64>product(point, basis + i * vectorBytes());
      held += projection * projection;
    }
  }
  return whole > 0 ? held / whole : 1;
}

function learnMean(rowBound: u32, step: u32): void {
  memory.fill(point, 0, vectorBytes());
  let count: f32 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!takesPart(row)) continue;
    count++;
    const code = codeOf(row);
    for (let i: u32 = 0; i < pointBytes; i += 4) {
      v128.store(point + (i << 2), f32x4.add(v128.load(point + (i << 2)), f32x4.convert_i32x4_s(fourBytes(code + i))));
    }
  }
  for (let i: u32 = 0; i < pointBytes; i++) store<i8>(meanCode() + i, <i8>nearest(load<f32>(point + (i << 2)) / max<f32>(count, 1)));
}

// @ts-ignore: decorator
@inline function fourBytes(address: usize): v128 {
  return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_splat(address)));
}

/** Writes what the row's code differs by from the mean. */
function centre(row: u32, target: usize): void {
  const code = codeOf(row);
  for (let i: u32 = 0; i < pointBytes; i += 4) {
    v128.store(target + (i << 2), f32x4.convert_i32x4_s(i32x4.sub(fourBytes(code + i), fourBytes(meanCode() + i))));
  }
}

/** Begins with rows from all over: they lie near the directions that are sought. */
function begin(rowBound: u32): void {
  memory.fill(basis, 0, vectorBytes() * DIRECTIONS);
  for (let i: u32 = 0; i < DIRECTIONS; i++) {
    let row = <u32>((<u64>rowBound * i) / DIRECTIONS);
    while (row < rowBound && !takesPart(row)) row++;
    if (row < rowBound) centre(row, basis + i * vectorBytes());
  }
}

function product(a: usize, b: usize): f32 {
  let even = f32x4.splat(0), odd = f32x4.splat(0);
  for (const end = a + vectorBytes(); a < end; a += 32, b += 32) {
    even = f32x4.add(even, f32x4.mul(v128.load(a), v128.load(b)));
    odd = f32x4.add(odd, f32x4.mul(v128.load(a, 16), v128.load(b, 16)));
  }
  const sum = f32x4.add(even, odd);
  return f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3));
}

/** Adds a multiple of one vector to another. */
function addMultiple(target: usize, vector: usize, factor: f32): void {
  const factors = f32x4.splat(factor);
  for (const end = target + vectorBytes(); target < end; target += 16, vector += 16) {
    v128.store(target, f32x4.add(v128.load(target), f32x4.mul(v128.load(vector), factors)));
  }
}

function scaleBy(vector: usize, factor: f32): void {
  const factors = f32x4.splat(factor);
  for (const end = vector + vectorBytes(); vector < end; vector += 16) v128.store(vector, f32x4.mul(v128.load(vector), factors));
}

/** One row's share in the product of the covariance and the directions. */
function multiply(row: u32): void {
  centre(row, point);
  for (let i: u32 = 0; i < DIRECTIONS; i++) addMultiple(image + i * vectorBytes(), point, product(point, basis + i * vectorBytes()));
}

/** Gram and Schmidt, modified. A vector that the others span becomes nothing. */
function orthogonalise(): void {
  for (let i: u32 = 0; i < DIRECTIONS; i++) {
    const vector = basis + i * vectorBytes();
    const before = product(vector, vector);
    for (let j: u32 = 0; j < i; j++) addMultiple(vector, basis + j * vectorBytes(), -product(vector, basis + j * vectorBytes()));
    const square = product(vector, vector);
    scaleBy(vector, square > before * SPANNED_MAX ? 1 / Mathf.sqrt(square) : 0);
  }
}

/** Rounds the directions to bytes of one scale: units for one, which it returns. */
function storeDirections(): f64 {
  const values = DIRECTIONS * pointBytes;
  let largest: f32 = 0;
  for (let i: u32 = 0; i < values; i++) largest = max(largest, Mathf.abs(load<f32>(basis + (i << 2))));
  const scale: f32 = largest > 0 ? <f32>DIRECTION_MAX / largest : 1;
  for (let i: u32 = 0; i < DIRECTIONS; i++) {
    const vector = basis + i * vectorBytes();
    for (let j: u32 = 0; j < pointBytes; j++) setComponent(i, j, <i32>nearest(load<f32>(vector + (j << 2)) * scale));
  }
  setExcesses();
  return scale;
}

/** At least one unit of a code: equal codes have no projections. */
function longestProjection(rowBound: u32, step: u32): f64 {
  let longest: f32 = 1;
  for (let row: u32 = 0; row < rowBound; row += step) {
    if (!takesPart(row)) continue;
    centre(row, point);
    for (let i: u32 = 0; i < DIRECTIONS; i++) longest = max(longest, Mathf.abs(product(point, basis + i * vectorBytes())));
  }
  return longest;
}
