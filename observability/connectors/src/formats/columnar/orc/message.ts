// SPDX-License-Identifier: Apache-2.0
/** Messages of Protocol Buffers, in which an ORC file describes itself: https://protobuf.dev/programming-guides/encoding/ */
import { TableError, textOf } from '../table.ts';

/** How a field is stored, in the lowest three bits of what stands before it. */
const WIRE = { varint: 0, eightBytes: 1, sized: 2, fourBytes: 5 } as const;
/** A number of 64 bits takes ten bytes of seven. */
const VARINT_BYTES_MAX = 10;

export class OrcMessage {
  readonly #fields = new Map<number, (number | Uint8Array)[]>();

  constructor(bytes: Uint8Array) {
    const cursor = new Cursor(bytes);
    while (!cursor.isAtEnd) {
      const tag = cursor.varint();
      const field = Math.floor(tag / 8);
      const values = this.#fields.get(field) ?? [];
      this.#fields.set(field, values);
      values.push(fieldValue(tag % 8, cursor));
    }
  }

  has(field: number): boolean {
    return this.#fields.has(field);
  }

  /** The last one counts, as Protocol Buffers have it. Beyond what a number holds exactly there is no length and no count. */
  number(field: number, absent = 0): number {
    const value = this.#fields.get(field)?.at(-1) ?? absent;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw damagedOrc();
    return value;
  }

  /** One after another in the message, or packed into one field. */
  numbers(field: number): readonly number[] {
    return this.#all(field).flatMap((value) => (typeof value === 'number' ? [value] : unpacked(value)));
  }

  text(field: number): string {
    return this.texts(field).at(-1) ?? '';
  }

  texts(field: number): readonly string[] {
    return this.#sized(field).map(textOf);
  }

  messages(field: number): readonly OrcMessage[] {
    return this.#sized(field).map((bytes) => new OrcMessage(bytes));
  }

  #sized(field: number): readonly Uint8Array[] {
    return this.#all(field).map((value) => {
      if (typeof value === 'number') throw damagedOrc();
      return value;
    });
  }

  #all(field: number): readonly (number | Uint8Array)[] {
    return this.#fields.get(field) ?? [];
  }
}

function fieldValue(wire: number, cursor: Cursor): number | Uint8Array {
  switch (wire) {
    case WIRE.varint:
      return cursor.varint();
    case WIRE.eightBytes:
      return cursor.take(8);
    case WIRE.sized:
      return cursor.take(cursor.varint());
    case WIRE.fourBytes:
      return cursor.take(4);
    default:
      throw damagedOrc();
  }
}

function unpacked(bytes: Uint8Array): readonly number[] {
  const cursor = new Cursor(bytes);
  const values: number[] = [];
  while (!cursor.isAtEnd) values.push(cursor.varint());
  return values;
}

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The nearest number: those that need all 64 bits are looked at by nobody. */
  varint(): number {
    let value = 0;
    for (let index = 0; index < VARINT_BYTES_MAX; index += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw damagedOrc();
      this.#at += 1;
      value += (byte & 0x7f) * 128 ** index;
      if (byte < 0x80) return value;
    }
    throw damagedOrc();
  }

  take(length: number): Uint8Array {
    const from = this.#at;
    if (length > this.#bytes.length - from) throw damagedOrc();
    this.#at += length;
    return this.#bytes.subarray(from, this.#at);
  }
}

export function damagedOrc(): TableError {
  return new TableError('is damaged or truncated: its data are not valid ORC');
}
