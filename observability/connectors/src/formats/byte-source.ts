// SPDX-License-Identifier: Apache-2.0
/** Bytes of one file wherever it lies, read by ranges, so that a format is recognised without reading the whole. */
export type ByteSource = {
  /** The last part of its path; its extension is a hint. */
  readonly name: string;
  /** Below which it lies on this machine: whoever may read it may read all that lies there. */
  readonly folder?: string;
  readonly bytes: number;
  /** At most `end - start` bytes; fewer at the end of the file. */
  readonly slice: (start: number, end: number) => Promise<Uint8Array>;
};
