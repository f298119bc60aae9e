// SPDX-License-Identifier: Apache-2.0
/** Runs of integers, in both versions: https://orc.apache.org/specification/ORCv1/#integer-run-length-encoding-version-1 and -version-2 */
import { add, negated, normal, type OrcInteger, unzigzag, varint } from './integer.ts';
import { damagedOrc } from './message.ts';
import type { OrcStream } from './stream.ts';

export type IntegerEncoding = { readonly version: 1 | 2; readonly isSigned: boolean };

/** Runs of both versions are at least so long. */
const REPEATS_MIN = 3;
/** Bits of the widths that have a number of their own behind those of one to 24. */
const WIDTHS_BEHIND = [26, 28, 30, 32, 40, 48, 56, 64];
const WIDTHS = [...Array.from({ length: 24 }, (_, index) => index + 1), ...WIDTHS_BEHIND];
/** So many bits a number holds exactly, with room for a sum. */
const SMALL_BITS = 48;
/** A gap of so many says with an empty patch that it goes on. */
const GAP_MAX = 255;

export class IntegerRuns {
  readonly #stream: OrcStream;
  readonly #encoding: IntegerEncoding;
  #run: readonly OrcInteger[] = [];
  #at = 0;

  constructor(stream: OrcStream, encoding: IntegerEncoding) {
    this.#stream = stream;
    this.#encoding = encoding;
  }

  next(): OrcInteger {
    if (this.#at === this.#run.length) {
      this.#run = this.#encoding.version === 1 ? firstVersion(this.#stream, this.#encoding) : secondVersion(this.#stream, this.#encoding);
      this.#at = 0;
    }
    const value = this.#run[this.#at];
    if (value === undefined) throw damagedOrc();
    this.#at += 1;
    return value;
  }

  isAtEnd(): boolean {
    return this.#at === this.#run.length && this.#stream.isAtEnd();
  }
}

/** Integers as they are, or a first one and a step to the next ones. */
function firstVersion(stream: OrcStream, { isSigned }: IntegerEncoding): readonly OrcInteger[] {
  const control = stream.byte();
  const value = (): OrcInteger => (isSigned ? unzigzag(varint(stream)) : varint(stream));
  if (control >= 0x80) return Array.from({ length: 0x100 - control }, value);
  const step = (stream.byte() << 24) >> 24;
  return steps(value(), step, control + REPEATS_MIN);
}

function secondVersion(stream: OrcStream, encoding: IntegerEncoding): readonly OrcInteger[] {
  const header = stream.byte();
  switch (header >> 6) {
    case 0:
      return shortRepeat(stream, encoding, header);
    case 1:
      return direct(stream, encoding, header);
    case 2:
      return patchedBase(stream, header);
    default:
      return delta(stream, encoding, header);
  }
}

function shortRepeat(stream: OrcStream, { isSigned }: IntegerEncoding, header: number): readonly OrcInteger[] {
  const value = new Bits(stream).next(8 * (((header >> 3) & 7) + 1));
  const repeated = isSigned ? unzigzag(value) : value;
  return Array.from({ length: (header & 7) + REPEATS_MIN }, () => repeated);
}

function direct(stream: OrcStream, { isSigned }: IntegerEncoding, header: number): readonly OrcInteger[] {
  const length = lengthOf(stream, header);
  const bits = new Bits(stream);
  const width = widthOf(header >> 1);
  return Array.from({ length }, () => (isSigned ? unzigzag(bits.next(width)) : bits.next(width)));
}

/** Values above a base; those that need more bits than most have them in a list of patches. */
function patchedBase(stream: OrcStream, header: number): readonly OrcInteger[] {
  const length = lengthOf(stream, header);
  const width = widthOf(header >> 1);
  const third = stream.byte();
  const fourth = stream.byte();
  const baseBits = 8 * ((third >> 5) + 1);
  const patchWidth = widthOf(third);
  const gapWidth = (fourth >> 5) + 1;
  const patches = fourth & 0x1f;
  if (patchWidth + gapWidth > 64) throw damagedOrc();
  const base = signedMagnitude(BigInt(new Bits(stream).next(baseBits)), baseBits);
  const bits = new Bits(stream);
  const values = Array.from({ length }, () => bits.next(width));
  const patchBits = new Bits(stream);
  let at = 0;
  for (let index = 0; index < patches; index += 1) {
    const entry = BigInt(patchBits.next(closestWidth(patchWidth + gapWidth)));
    const gap = Number(entry >> BigInt(patchWidth));
    const patch = BigInt.asUintN(patchWidth, entry);
    at += gap;
    if (gap === GAP_MAX && patch === 0n) continue;
    const value = values[at];
    if (value === undefined) throw damagedOrc();
    values[at] = normal(BigInt.asIntN(64, BigInt(value) | (patch << BigInt(width))));
  }
  return values.map((value) => add(base, value));
}

/** The first value, the step to the second, and how far each step is, all in the direction of the first. */
function delta(stream: OrcStream, { isSigned }: IntegerEncoding, header: number): readonly OrcInteger[] {
  const length = lengthOf(stream, header);
  const code = (header >> 1) & 0x1f;
  const first = isSigned ? unzigzag(varint(stream)) : varint(stream);
  const step = unzigzag(varint(stream));
  if (code === 0) return steps(first, step, length);
  if (length < 2) throw damagedOrc();
  const bits = new Bits(stream);
  let value = add(first, step);
  const values = [first, value];
  while (values.length < length) {
    const distance = bits.next(widthOf(code));
    value = add(value, step < 0 ? negated(distance) : distance);
    values.push(value);
  }
  return values;
}

function steps(first: OrcInteger, step: OrcInteger, length: number): readonly OrcInteger[] {
  const values = [first];
  for (let value = first; values.length < length; values.push(value)) value = add(value, step);
  return values;
}

/** One to 512, in the last bit of the header and the byte behind it. */
function lengthOf(stream: OrcStream, header: number): number {
  return (((header & 1) << 8) | stream.byte()) + 1;
}

function widthOf(code: number): number {
  return WIDTHS[code & 0x1f] ?? 0;
}

function closestWidth(width: number): number {
  return WIDTHS.find((each) => each >= width) ?? 0;
}

/** The first bit is the sign of what the others are. */
function signedMagnitude(value: bigint, bits: number): OrcInteger {
  const magnitude = BigInt.asUintN(bits - 1, value);
  return normal(magnitude === value ? value : -magnitude);
}

/** Integers of the same width, the highest bit first. */
class Bits {
  readonly #stream: OrcStream;
  #byte = 0;
  #left = 0;

  constructor(stream: OrcStream) {
    this.#stream = stream;
  }

  next(width: number): OrcInteger {
    if (width <= SMALL_BITS) return this.#small(width);
    const high = BigInt(this.#small(width - 32));
    return normal((high << 32n) | BigInt(this.#small(32)));
  }

  #small(width: number): number {
    let value = 0;
    for (let missing = width; missing > 0; ) {
      if (this.#left === 0) {
        this.#byte = this.#stream.byte();
        this.#left = 8;
      }
      const taken = Math.min(missing, this.#left);
      this.#left -= taken;
      missing -= taken;
      value = value * (1 << taken) + ((this.#byte >> this.#left) & ((1 << taken) - 1));
    }
    return value;
  }
}
