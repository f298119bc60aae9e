// SPDX-License-Identifier: Apache-2.0
/** One JSON object in each line. Blank lines are none. */
import { parseJson } from '@sextant/foundation-std';
import { CommandFailure, sentenceOf } from '../failure.ts';
import { LineTooLongError, linesOf } from './lines.ts';
import type { ReadRow, Row, RowSource } from './row-source.ts';
import { openTextBytes } from './text-bytes.ts';

export async function openNdjson(path: string): Promise<RowSource> {
  const { stream, progress } = await openTextBytes(path);
  return {
    columns: undefined,
    rowCount: undefined,
    bytes: progress,
    rows: async function* (from) {
      let row = 0;
      let lineNumber = 0;
      const text = new TextDecoder('utf-8', { fatal: true });
      try {
        for await (const line of linesOf(stream)) {
          lineNumber += 1;
          if (isBlank(line)) continue;
          row += 1;
          // Rows that were imported before are counted, not parsed.
          if (row > from) yield parseLine(line, lineNumber, text);
        }
      } catch (error) {
        if (error instanceof LineTooLongError) {
          throw new CommandFailure('bad_data', `${path}, after line ${lineNumber}: ${error.message}`, {
            advice: 'Each line must be one JSON object. Use `jq -c .[]` to turn a JSON array into lines.',
          });
        }
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => void stream.destroy(),
  };
}

function isBlank(line: Buffer): boolean {
  return line.length < 256 && line.toString('latin1').trim() === '';
}

function parseLine(line: Buffer, number: number, decoder: TextDecoder): ReadRow {
  try {
    const value = parseJson(decoder.decode(line));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'row', row: value as Row };
    return { kind: 'fault', reason: `line ${number} is not a JSON object` };
  } catch (error) {
    return { kind: 'fault', reason: `line ${number} is not valid JSON: ${sentenceOf(error)}` };
  }
}
