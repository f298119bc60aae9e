// SPDX-License-Identifier: Apache-2.0
/** Runs of bytes, and bits in such bytes: https://orc.apache.org/specification/ORCv1/#byte-run-length-encoding */
import type { OrcStream } from './stream.ts';

const REPEATS_MIN = 3;

export class ByteRuns {
  readonly #stream: OrcStream;
  #left = 0;
  /** Undefined where each byte stands for itself. */
  #repeated: number | undefined;

  constructor(stream: OrcStream) {
    this.#stream = stream;
  }

  next(): number {
    if (this.#left === 0) {
      const control = this.#stream.byte();
      const isRun = control < 0x80;
      this.#left = isRun ? control + REPEATS_MIN : 0x100 - control;
      this.#repeated = isRun ? this.#stream.byte() : undefined;
    }
    this.#left -= 1;
    return this.#repeated ?? this.#stream.byte();
  }

  isAtEnd(): boolean {
    return this.#left === 0 && this.#stream.isAtEnd();
  }
}

/** The highest bit of a byte comes first; the last byte is filled up. */
export class BitRuns {
  readonly #bytes: ByteRuns;
  #byte = 0;
  #left = 0;

  constructor(stream: OrcStream) {
    this.#bytes = new ByteRuns(stream);
  }

  next(): boolean {
    if (this.#left === 0) {
      this.#byte = this.#bytes.next();
      this.#left = 8;
    }
    this.#left -= 1;
    return ((this.#byte >> this.#left) & 1) === 1;
  }

  isAtEnd(): boolean {
    return this.#bytes.isAtEnd();
  }
}
