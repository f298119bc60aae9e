/**
 * The numbers of a JSON array, from the bytes of a body straight to float32, as `Math.fround(JSON.parse(text))` would have them.
 *
 * Up to 15 digits and a power of ten up to 22 are exact doubles, so one multiplication or division gives the double nearest to the decimal (W. D. Clinger,
 * "How to read floating point numbers accurately", 1990). Of longer numbers the first 15 digits and their successor enclose the value; where both
 * round to the same float32, so does the value. The few others go through `Number`.
 */

/** Of one vector; the schema says the same. */
const COMPONENTS_MAX = 65_536;
const FLOAT32_MAX = 3.4028234663852886e38;
const DIGITS_MAX = 15;
/** Digits that a small integer holds, which is what the loop is quick with. */
const HIGH_DIGITS = 9;
const EXPONENT_MAX = 9999;
const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const POWER_MAX = POWERS_OF_TEN.length - 1;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const CLOSE = 0x5d;
const EXPONENT = 0x65;
/** Makes a capital letter small. */
const LOWER_CASE = 0x20;

const read = new Float32Array(COMPONENTS_MAX);
const ascii = new TextDecoder('latin1');

export type NumberArray = {
  readonly values: Float32Array;
  /** The position after the closing bracket. */
  readonly end: number;
};

/**
 * @param start the position after the opening bracket
 * @returns undefined for whatever is not an array of JSON numbers within the range of float32, at least one and no more than a vector may have
 *
 * The last byte must be none that a number or a space between numbers has, so that every loop ends before the bytes do.
 */
export function readNumberArray(bytes: Uint8Array, start: number): NumberArray | undefined {
  let at = start;
  for (let count = 0; count < COMPONENTS_MAX; count++) {
    at = skipSpace(bytes, at);
    const first = at;
    const isNegative = byteAt(bytes, at) === MINUS;
    if (isNegative) at++;

    let high = 0;
    let low = 0;
    // Leading zeros are no significant digits.
    let significant = 0;
    const whole = at;
    let digit = byteAt(bytes, at) - ZERO;
    for (; digit >= 0 && digit <= 9; digit = byteAt(bytes, ++at) - ZERO) {
      if (significant < HIGH_DIGITS) high = high * 10 + digit;
      else if (significant < DIGITS_MAX) low = low * 10 + digit;
      if (significant > 0 || digit > 0) significant++;
    }
    if (at === whole || (at > whole + 1 && byteAt(bytes, whole) === ZERO)) return undefined;

    let power = 0;
    if (byteAt(bytes, at) === POINT) {
      const fraction = ++at;
      digit = byteAt(bytes, at) - ZERO;
      for (; digit >= 0 && digit <= 9; digit = byteAt(bytes, ++at) - ZERO) {
        if (significant < HIGH_DIGITS) high = high * 10 + digit;
        else if (significant < DIGITS_MAX) low = low * 10 + digit;
        if (significant > 0 || digit > 0) significant++;
      }
      if (at === fraction) return undefined;
      power = fraction - at;
    }
    if ((byteAt(bytes, at) | LOWER_CASE) === EXPONENT) {
      const sign = byteAt(bytes, ++at);
      if (sign === PLUS || sign === MINUS) at++;
      const digits = at;
      let exponent = 0;
      digit = byteAt(bytes, at) - ZERO;
      for (; digit >= 0 && digit <= 9; digit = byteAt(bytes, ++at) - ZERO) exponent = Math.min(exponent * 10 + digit, EXPONENT_MAX);
      if (at === digits) return undefined;
      power += sign === MINUS ? -exponent : exponent;
    }

    const dropped = Math.max(0, significant - DIGITS_MAX);
    const mantissa = significant <= HIGH_DIGITS ? high : high * powerOfTen(significant - dropped - HIGH_DIGITS) + low;
    let value = scaled(mantissa, power + dropped);
    if (value === undefined || (dropped > 0 && Math.fround(value) !== Math.fround(scaled(mantissa + 1, power + dropped) ?? value))) {
      value = Math.abs(Number(ascii.decode(bytes.subarray(first, at))));
      if (!(value <= FLOAT32_MAX)) return undefined;
    }
    read[count] = isNegative ? -value : value;

    at = skipSpace(bytes, at);
    const next = byteAt(bytes, at++);
    if (next === CLOSE) return { values: read.slice(0, count + 1), end: at };
    if (next !== COMMA) return undefined;
  }
  return undefined;
}

export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const byte = byteAt(bytes, at);
    if (byte > SPACE || (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB)) return at;
    at++;
  }
}

/** Undefined where one operation is not exact. */
function scaled(mantissa: number, power: number): number | undefined {
  if (power < -POWER_MAX || power > POWER_MAX) return undefined;
  return power < 0 ? mantissa / powerOfTen(-power) : mantissa * powerOfTen(power);
}

function powerOfTen(exponent: number): number {
  // In range by the checks of its callers, which typed arrays do not tell the compiler.
  return POWERS_OF_TEN[exponent] as number;
}

function byteAt(bytes: Uint8Array, at: number): number {
  // Never past the end; see `readNumberArray`.
  return bytes[at] as number;
}
