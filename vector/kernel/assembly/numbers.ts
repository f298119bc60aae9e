// SPDX-License-Identifier: Apache-2.0
/**
 * A separate module: reads the numbers of a JSON array as float32, each equal to `Math.fround(JSON.parse(text))`.
 *
 * Mantissas up to 2^53 and powers of ten up to 10^22 are exact doubles, so one multiplication or division gives the double nearest to the
 * decimal (W. D. Clinger, "How to read floating point numbers accurately", 1990). Longer mantissas come within 2^-51 of it; where both ends
 * of that interval round to the same float32, so does the number. The few others are left to the caller. Eight digits are read at a time
 * (D. Lemire, "Number parsing at a gigabyte per second", 2021).
 *
 * Memory: powers of ten at 0, the text at `textAddress`, the numbers at `numbersAddress`. The caller writes the first two, and a zero after
 * the text, which ends every loop.
 */

/** The array has ended; `position` is after its bracket. */
const ENDED: i32 = 0;
/** The caller has to read the number from `first` to `position` and to put it at the end of the numbers, which already count it. */
const HARD: i32 = 1;
/** Not an array of JSON numbers, or the text ends before it does. */
const REFUSED: i32 = 2;

export const powerMax: i32 = 22;
export const textAddress: u32 = 1024;
export const textBytesMax: u32 = 262144;
/** After a margin that eight bytes may be read from. */
export const numbersAddress: u32 = 263296;
export const numbersMax: u32 = 65536;

const EXACT_MAX: u64 = 1 << 53;
/** 2^-51 */
const ERROR: f64 = 4.440892098500626e-16;
const FLOAT32_MAX: f64 = 3.4028234663852886e38;
/** All numbers of this many digits fit into 64 bits. */
const DIGITS_MAX: u32 = 19;
const EXPONENT_MAX: i32 = 9999;
/** Eight ASCII zeros. */
const ZEROS: u64 = 0x3030303030303030;

export let position: u32 = 0;
export let first: u32 = 0;
export let count: u32 = 0;

/** Begins with the number at `start`, or continues after a hard one that ended there. */
export function read(start: u32, end: u32, resumed: bool): i32 {
  let at = start;
  let found: u32 = resumed ? count : 0;
  let byte: u32 = resumed ? load<u8>(at++) : 0x2c;
  while (true) {
    while (isSpace(byte)) byte = load<u8>(at++);
    if (byte != 0x2c) {
      position = at;
      count = found;
      return byte == 0x5d && at <= end ? ENDED : REFUSED;
    }
    byte = load<u8>(at);
    while (isSpace(byte)) byte = load<u8>(++at);
    if (found == numbersMax) return REFUSED;

    first = at;
    // Whether a number is negative cannot be predicted, so there is no branch on it.
    const minus = u32(byte == 0x2d);
    at += minus;
    const whole = at;
    let mantissa: u64 = 0;
    let digit = digitAt(at);
    while (digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digit = digitAt(++at);
    }
    let digits = at - whole;
    if (digits == 0 || (digits > 1 && load<u8>(whole) == 0x30)) return REFUSED;
    let power: i32 = 0;
    if (load<u8>(at) == 0x2e) {
      const fraction = ++at;
      let eight = load<u64>(at);
      while (areDigits(eight)) {
        mantissa = mantissa * 100000000 + valueOf(eight);
        at += 8;
        eight = load<u64>(at);
      }
      digit = digitAt(at);
      while (digit <= 9) {
        mantissa = mantissa * 10 + digit;
        digit = digitAt(++at);
      }
      if (at == fraction) return REFUSED;
      digits += at - fraction;
      power = <i32>(fraction - at);
    }
    // This many digits may exceed the mantissa, unless the first of them are zeros.
    let isHard = digits > DIGITS_MAX && digits - leadingZeros(whole) > DIGITS_MAX;
    if ((load<u8>(at) | 0x20) == 0x65) {
      const sign = load<u8>(++at);
      at += u32(sign == 0x2b || sign == 0x2d);
      const begin = at;
      let exponent: i32 = 0;
      for (digit = digitAt(at); digit <= 9; digit = digitAt(++at)) exponent = min(exponent * 10 + <i32>digit, EXPONENT_MAX);
      if (at == begin) return REFUSED;
      power += sign == 0x2d ? -exponent : exponent;
    }
    if (at >= end) return REFUSED;

    let value = <f64>mantissa;
    if (power < -powerMax || power > powerMax) isHard = true;
    else value = power < 0 ? value / load<f64>(<u32>-power << 3) : value * load<f64>(<u32>power << 3);
    const upper = value * (1.0 + ERROR);
    isHard = isHard || upper > FLOAT32_MAX || (mantissa > EXACT_MAX && <f32>(value * (1.0 - ERROR)) != <f32>upper);
    if (!isHard) store<u32>(numbersAddress + (found << 2), reinterpret<u32>(<f32>value) | (minus << 31));
    found++;
    if (isHard) {
      position = at;
      count = found;
      return HARD;
    }
    byte = load<u8>(at++);
  }
}

/** 9 or less for a digit. */
// @ts-ignore: decorator
@inline function digitAt(at: u32): u32 {
  return <u32>load<u8>(at) - 0x30;
}

// @ts-ignore: decorator
@inline function isSpace(byte: u32): bool {
  return byte <= 0x20 && (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09);
}

/** Leading zeros of a number, before and after its point. */
function leadingZeros(start: u32): u32 {
  let zeros: u32 = 0;
  let at = start;
  for (let byte = load<u8>(at); byte == 0x30 || byte == 0x2e; byte = load<u8>(++at)) zeros += u32(byte == 0x30);
  return zeros;
}

// @ts-ignore: decorator
@inline function areDigits(eight: u64): bool {
  return ((eight & 0xf0f0f0f0f0f0f0f0) | (((eight + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) == 0x3333333333333333;
}

/** The value of eight ASCII digits, the first in the lowest byte. */
// @ts-ignore: decorator
@inline function valueOf(eight: u64): u64 {
  const ones = eight - ZEROS;
  const pairs = ones * 10 + (ones >> 8);
  return (((pairs & 0x000000ff000000ff) * 0x000f424000000064) + (((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32;
}
