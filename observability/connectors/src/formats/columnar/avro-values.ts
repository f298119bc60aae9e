// SPDX-License-Identifier: Apache-2.0
/** Reads values of Avro out of a block, never beyond its end: https://avro.apache.org/docs/1.12.0/specification/#binary-encoding */
import { type JsonValue, stringifyJson } from '@sextant/foundation-std';
import type { AvroType } from './avro-schema.ts';
import { jsonScalar } from './json-scalar.ts';
import { type ColumnType, type StoredValue, TableError, textOf } from './table.ts';

export class AvroCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.byteLength - this.at;
  }

  take(length: number): Uint8Array {
    if (length < 0 || length > this.remaining) throw damagedAvro();
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  long(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw damagedAvro();
  }

  /** What must be a count or an index; most take a byte or two. */
  int(): number {
    const first = this.#byte();
    if (first < 0x80) return (first >> 1) ^ -(first & 1);
    this.at -= 1;
    const value = Number(this.long());
    if (!Number.isSafeInteger(value)) throw damagedAvro();
    return value;
  }

  float(): number {
    return this.#view.getFloat32(this.#skip(4), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  sized(): Uint8Array {
    return this.take(this.int());
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw damagedAvro();
    this.at += 1;
    return byte;
  }

  #skip(length: number): number {
    this.take(length);
    return this.at - length;
  }
}

export type AvroReader = (cursor: AvroCursor) => StoredValue;

/** The reader of a column. */
export function columnReader(type: AvroType): AvroReader {
  if (type.column.kind !== 'json') return scalarReader(type);
  const json = new JsonReaders().of(type);
  return (cursor) => {
    const value = json(cursor, 0);
    return value === null ? null : stringifyJson(value);
  };
}

function scalarReader(type: AvroType): AvroReader {
  switch (type.kind) {
    case 'null':
      return () => null;
    case 'boolean':
      return (cursor) => {
        const [byte = 2] = cursor.take(1);
        if (byte > 1) throw damagedAvro();
        return byte === 1;
      };
    case 'int':
      return intReader(type.column);
    case 'long':
      return (cursor) => cursor.long();
    case 'float':
      return (cursor) => cursor.float();
    case 'double':
      return (cursor) => cursor.double();
    case 'string':
      return (cursor) => textOf(cursor.sized());
    case 'bytes':
      return type.column.kind === 'decimal' ? (cursor) => unscaled(cursor.sized()) : (cursor) => cursor.sized();
    case 'fixed':
      return fixedReader(type);
    case 'enum':
      return (cursor) => type.symbols[cursor.int()] ?? fail();
    case 'union':
      return unionReader(type);
    case 'array':
    case 'map':
    case 'record':
      throw damagedAvro();
  }
}

function intReader({ kind }: ColumnType): AvroReader {
  const int = (cursor: AvroCursor): number => {
    const value = cursor.int();
    return value === (value | 0) ? value : fail();
  };
  return kind === 'time' ? (cursor) => BigInt(int(cursor)) * 1000n : int;
}

function fixedReader({ size, column }: Extract<AvroType, { readonly kind: 'fixed' }>): AvroReader {
  if (column.kind === 'decimal') return (cursor) => unscaled(cursor.take(size));
  if (column.kind === 'text') return (cursor) => uuid(cursor.take(size));
  return (cursor) => cursor.take(size);
}

function unionReader({ branches, column }: Extract<AvroType, { readonly kind: 'union' }>): AvroReader {
  const readers = branches.map(scalarReader);
  const widened = (value: StoredValue): StoredValue => {
    if (column.kind === 'int64' && typeof value === 'number') return BigInt(value);
    return value;
  };
  return (cursor) => widened((readers[cursor.int()] ?? fail())(cursor));
}

type JsonReader = (cursor: AvroCursor, depth: number) => JsonValue;

/** Values of a record that holds others of its kind may be nested without end. */
const DEPTH_MAX = 64;

class JsonReaders {
  readonly #known = new Map<AvroType, JsonReader>();

  /** A record knows its own reader before that of its fields. */
  of(type: AvroType): JsonReader {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    let made: JsonReader | undefined;
    const reader: JsonReader = (cursor, depth) => {
      if (depth > DEPTH_MAX) throw new TableError(`holds values that are nested more than ${DEPTH_MAX} deep`);
      made ??= this.#make(type);
      return made(cursor, depth + 1);
    };
    this.#known.set(type, reader);
    return reader;
  }

  #make(type: AvroType): JsonReader {
    switch (type.kind) {
      case 'array': {
        const item = this.of(type.items);
        return (cursor, depth) => blocks(cursor, () => item(cursor, depth));
      }
      case 'map': {
        const value = this.of(type.values);
        return (cursor, depth) => Object.fromEntries(blocks(cursor, () => [textOf(cursor.sized()), value(cursor, depth)] as const));
      }
      case 'record': {
        const fields = type.fields.map((field) => [field.name, this.of(field.type)] as const);
        return (cursor, depth) => Object.fromEntries(fields.map(([name, read]) => [name, read(cursor, depth)]));
      }
      case 'union': {
        const branches = type.branches.map((branch) => this.of(branch));
        return (cursor, depth) => (branches[cursor.int()] ?? fail())(cursor, depth);
      }
      default: {
        const read = scalarReader(type);
        return (cursor) => jsonScalar(read(cursor), type.column);
      }
    }
  }
}

/** Items come in blocks; one of a negative count says its bytes as well. Each item takes a byte at least: more are not there. */
function blocks<Item>(cursor: AvroCursor, item: () => Item): Item[] {
  const items: Item[] = [];
  for (;;) {
    const stated = cursor.int();
    if (stated === 0) return items;
    if (stated < 0) cursor.int();
    const count = Math.abs(stated);
    if (count > cursor.remaining) throw damagedAvro();
    for (let index = 0; index < count; index += 1) items.push(item());
  }
}

/** Big-endian, in two's complement. */
function unscaled(bytes: Uint8Array): bigint {
  if (bytes.length === 0 || bytes.length > 16) throw damagedAvro();
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function uuid(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function fail(): never {
  throw damagedAvro();
}

export function damagedAvro(): TableError {
  return new TableError('is damaged or truncated: its data do not match its schema');
}
