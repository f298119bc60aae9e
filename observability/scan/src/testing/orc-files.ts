// SPDX-License-Identifier: Apache-2.0
/** ORC files put together by hand, such as no library writes: https://orc.apache.org/specification/ORCv1/ */
import { deflateRawSync } from 'node:zlib';

/** Of a message of Protocol Buffers. */
export type Field = readonly [field: number, value: number | string | Uint8Array];
export type OrcStreamParts = readonly [kind: number, column: number, bytes: readonly number[] | Uint8Array];

export type OrcParts = {
  /** Of the row first, then of what it holds. */
  readonly types: readonly (readonly Field[])[];
  readonly streams: readonly OrcStreamParts[];
  readonly rows: number;
  /** The new runs of integers unless said otherwise. */
  readonly encodings?: readonly (readonly Field[])[];
  readonly zone?: string;
  /** What is written twice counts as it was written last. */
  readonly stripe?: readonly Field[];
  readonly footer?: readonly Field[];
  readonly postscript?: readonly Field[];
  readonly stripes?: number;
  readonly version?: readonly number[];
  /** Packed with zlib, so many bytes at a time. */
  readonly packedBytes?: number;
};

export const KIND = {
  boolean: 0,
  tinyint: 1,
  int: 3,
  bigint: 4,
  string: 7,
  timestamp: 9,
  list: 10,
  map: 11,
  struct: 12,
  union: 13,
  decimal: 14,
  date: 15,
  varchar: 16,
  char: 17,
} as const;
export const STREAM = { present: 0, data: 1, length: 2, dictionary: 3, secondary: 5 } as const;
const DIRECT_V2: readonly Field[] = [[1, 2]];

/** The type of rows with these columns, of the types behind it. */
export function row(...names: readonly string[]): readonly Field[] {
  return parent(KIND.struct, ...names.map((_, index) => index + 1)).concat(names.map((name) => [3, name] as const));
}

export function parent(kind: number, ...children: readonly number[]): readonly Field[] {
  return [[1, kind], ...children.map((child) => [2, child] as const)];
}

export function orcFile(parts: OrcParts): Buffer {
  const {
    types,
    streams,
    rows,
    encodings,
    zone,
    stripe = [],
    footer = [],
    postscript = [],
    stripes = 1,
    version = [0, 12],
    packedBytes,
  } = parts;
  const packed = (bytes: Uint8Array): Uint8Array => (packedBytes === undefined ? bytes : zlibChunks(bytes, packedBytes));
  const contents = streams.map(([, , bytes]) => packed(Uint8Array.from(bytes)));
  const data = Buffer.concat(contents);
  const stripeFooter = packed(
    message(
      ...streams.map(([kind, column], index) => [1, message([1, kind], [2, column], [3, contents[index]?.length ?? 0])] as const),
      ...(encodings ?? types.map(() => DIRECT_V2)).map((encoding) => [2, message(...encoding)] as const),
      ...(zone === undefined ? [] : [[3, zone] as const]),
    ),
  );
  const information = message([1, 3], [2, 0], [3, data.length], [4, stripeFooter.length], [5, rows], ...stripe);
  const fileFooter = packed(
    message(
      [1, 3],
      [2, 3 + data.length + stripeFooter.length],
      ...Array.from({ length: stripes }, () => [3, information] as const),
      ...types.map((type) => [4, message(...type)] as const),
      [6, rows * stripes],
      ...footer,
    ),
  );
  const end = message(
    [1, fileFooter.length],
    [2, packedBytes === undefined ? 0 : 1],
    [3, CHUNK_BYTES],
    [4, Uint8Array.from(version)],
    ...postscript,
    [8000, 'ORC'],
  );
  return Buffer.concat([Buffer.from('ORC'), data, stripeFooter, fileFooter, end, Uint8Array.of(end.length)]);
}

const CHUNK_BYTES = 65_536;

function zlibChunks(bytes: Uint8Array, packedBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += packedBytes) {
    const chunk = deflateRawSync(bytes.subarray(at, at + packedBytes));
    const header = 2 * chunk.length;
    chunks.push(Uint8Array.of(header & 0xff, (header >> 8) & 0xff, header >> 16), chunk);
  }
  return Buffer.concat(chunks);
}

export function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([field, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(field * 8), varint(value)]);
      const bytes = Buffer.from(value);
      return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
    }),
  );
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** A run of the second version that goes up or down by the same. */
export function steps(first: number, step: number, { length = 1, isSigned = true } = {}): Uint8Array {
  const run = [0xc0 | ((length - 1) >> 8), (length - 1) & 0xff];
  return Buffer.concat([Uint8Array.from(run), varint(isSigned ? zigzag(first) : first), varint(zigzag(step))]);
}

/** Lengths, or other small integers without a sign. */
export function small(...values: readonly number[]): Uint8Array {
  return Uint8Array.of(0x40 | (7 << 1), values.length - 1, ...values);
}

export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
