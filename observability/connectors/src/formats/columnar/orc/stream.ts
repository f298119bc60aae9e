// SPDX-License-Identifier: Apache-2.0
/** The bytes of one stream of a stripe, unpacked chunk after chunk as they are read: https://orc.apache.org/specification/ORCv1/#compression */
import { TableError } from '../table.ts';
import type { OrcMemory } from './memory.ts';
import { damagedOrc } from './message.ts';
import type { OrcPacking } from './packing.ts';

/** Where the bytes of a stream lie, and how they are there. */
export type OrcSection = {
  /** As many bytes of the file; fails where it ends. */
  readonly read: (at: number, length: number) => Uint8Array;
  readonly start: number;
  readonly length: number;
  readonly packing: OrcPacking;
  readonly memory: OrcMemory;
};

/** Twice its length and whether it stands as it is, in little-endian order. */
const HEADER_BYTES = 3;
/** What is not packed is read so much at a time. */
const PLAIN_BYTES = 65_536;

export class OrcStream {
  readonly #section: OrcSection;
  readonly #end: number;
  #position: number;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(section: OrcSection) {
    this.#section = section;
    this.#position = section.start;
    this.#end = section.start + section.length;
  }

  byte(): number {
    for (;;) {
      const byte = this.#chunk[this.#at];
      if (byte !== undefined) {
        this.#at += 1;
        return byte;
      }
      this.#advance();
    }
  }

  /** Until the next call; whoever keeps the bytes copies them, and has asked for the memory before. */
  take(length: number): Uint8Array {
    const from = this.#at;
    if (length <= this.#chunk.length - from) {
      this.#at += length;
      return this.#chunk.subarray(from, this.#at);
    }
    const parts: Uint8Array[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.#at === this.#chunk.length) this.#advance();
      const part = this.#chunk.subarray(this.#at, this.#at + missing);
      parts.push(part);
      this.#at += part.length;
      missing -= part.length;
    }
    return Buffer.concat(parts, length);
  }

  /** All that is left, which must not be more than the limit. */
  rest(bytesMax: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    while (!this.isAtEnd()) {
      const part = this.#chunk.subarray(this.#at);
      bytes += part.length;
      if (bytes > bytesMax) throw new TableError(`unpacks to more than the limit of ${bytesMax} bytes`);
      parts.push(part);
      this.#at = this.#chunk.length;
    }
    return Buffer.concat(parts, bytes);
  }

  isAtEnd(): boolean {
    while (this.#at === this.#chunk.length) {
      if (this.#position === this.#end) return true;
      this.#advance();
    }
    return false;
  }

  #advance(): void {
    const { packing, memory } = this.#section;
    memory.release(this.#chunk.buffer.byteLength);
    this.#chunk =
      packing.unpack === undefined ? this.#read(Math.min(PLAIN_BYTES, this.#end - this.#position)) : this.#unpacked(packing.unpack);
    this.#at = 0;
    memory.hold(this.#chunk.buffer.byteLength);
  }

  #unpacked(unpack: (packed: Uint8Array) => Uint8Array): Uint8Array {
    const [low = 0, middle = 0, high = 0] = this.#read(HEADER_BYTES);
    const header = low + middle * 256 + high * 65_536;
    const chunk = this.#read(header >> 1);
    return (header & 1) === 1 ? chunk : unpack(chunk);
  }

  #read(length: number): Uint8Array {
    if (length > this.#end - this.#position || this.#position === this.#end) throw damagedOrc();
    this.#position += length;
    return this.#section.read(this.#position - length, length);
  }
}
