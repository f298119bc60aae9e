// SPDX-License-Identifier: Apache-2.0
/** A thread that reads sheets of workbooks one after the other, and writes each as text or answers the beginning of it. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort } from 'node:worker_threads';
import { assert } from '@sextant/foundation-std';
import readWorkbook from 'read-excel-file/node';
import { type Cell, sheetLines, textColumns } from './workbook-text.ts';

export type SheetRequest = {
  readonly path: string | Uint8Array;
  /** The first one with values where none is named. */
  readonly sheet: string | undefined;
  /** The file that is written; without it the beginning is answered. */
  readonly target: string | undefined;
  readonly bytesMax: number;
};

export type SheetAnswer =
  | {
      readonly kind: 'read';
      readonly sheet: string;
      readonly sample: string;
      readonly textColumns: readonly number[];
      readonly isWhole: boolean;
    }
  | { readonly kind: 'missing'; readonly sheets: readonly string[] }
  | { readonly kind: 'too large' }
  | { readonly kind: 'damaged' };

const SAMPLE_CHARACTERS = 262_144;

const port = parentPort;
assert(port !== null, 'this file is a thread');
// What is thrown ends the thread.
port.on('message', (request: SheetRequest) => void answer(request).then((answered) => port.postMessage(answered)));

async function answer({ path, sheet, target, bytesMax }: SheetRequest): Promise<SheetAnswer> {
  let sheets: readonly { readonly sheet: string; readonly data: readonly (readonly Cell[])[] }[];
  try {
    const read: unknown = await readWorkbook(typeof path === 'string' ? path : Buffer.from(path), { trim: false });
    // The library's own type of a date is that of its constructor.
    sheets = read as typeof sheets;
  } catch {
    return { kind: 'damaged' };
  }
  const hasValues = ({ data }: (typeof sheets)[number]) => data.some((row) => row.some((cell) => cell !== null));
  const found = sheet === undefined ? (sheets.find(hasValues) ?? sheets[0]) : sheets.find((one) => one.sheet === sheet);
  if (found === undefined) return { kind: 'missing', sheets: sheets.map((one) => one.sheet) };
  const { sample, isWhole } = beginning(sheetLines(found.data));
  if (target !== undefined && !(await write(sheetLines(found.data), target, bytesMax))) return { kind: 'too large' };
  return { kind: 'read', sheet: found.sheet, sample, textColumns: textColumns(found.data.slice(1)), isWhole };
}

function beginning(lines: Iterable<string>): { readonly sample: string; readonly isWhole: boolean } {
  let sample = '';
  for (const line of lines) {
    if (sample.length + line.length > SAMPLE_CHARACTERS) return { sample, isWhole: false };
    sample += line;
  }
  return { sample, isWhole: true };
}

/** False where it would be too much; then nothing may be made of what was written. */
async function write(lines: Iterable<string>, target: string, bytesMax: number): Promise<boolean> {
  let bytes = 0;
  const bounded = function* (): Generator<string> {
    for (const line of lines) {
      bytes += Buffer.byteLength(line);
      if (bytes > bytesMax) return;
      yield line;
    }
  };
  await pipeline(Readable.from(bounded()), createWriteStream(target, { flags: 'wx' }));
  return bytes <= bytesMax;
}
