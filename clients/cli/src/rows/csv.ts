// SPDX-License-Identifier: Apache-2.0
/** Delimited text (RFC 4180 with any separator), as csv-parse reads it. Cells are text; what they mean is decided where rows become points. */
import { type CsvError, parse } from 'csv-parse';
import { CommandFailure } from '../failure.ts';
import { LINE_BYTES_MAX } from './lines.ts';
import type { ReadRow, RowSource } from './row-source.ts';
import { openTextBytes } from './text-bytes.ts';

export type CsvOptions = {
  /** One character; undefined: what the first line has most of, of comma, semicolon, tab and bar. */
  readonly delimiter?: string | undefined;
  /** Whether the first row names the columns; else they are `column0`, `column1`… */
  readonly header: boolean;
};

const SEPARATORS = [',', ';', '\t', '|'] as const;

export async function openCsv(path: string, { delimiter, header }: CsvOptions): Promise<RowSource> {
  const { stream, progress } = await openTextBytes(path);
  return {
    columns: undefined,
    rowCount: undefined,
    bytes: progress,
    rows: async function* (from) {
      const first = await firstChunk(stream);
      const records = stream.pipe(
        parse({
          bom: true,
          delimiter: delimiter ?? mostFrequentSeparator(first),
          max_record_size: LINE_BYTES_MAX,
          relax_column_count: true,
          skip_empty_lines: true,
        }),
      );
      stream.once('error', (error) => records.destroy(error));
      let names: readonly string[] | undefined;
      let row = 0;
      try {
        // A record is an array of cells unless columns are asked for.
        for await (const cells of records as AsyncIterable<readonly string[]>) {
          if (names === undefined) {
            names = header ? uniqueNames(cells, path) : cells.map((_, index) => `column${index}`);
            if (header) continue;
          }
          row += 1;
          if (row > from) yield toRow(cells, names);
        }
      } catch (error) {
        if (isCsvError(error)) {
          throw new CommandFailure('bad_data', `${path} is not valid delimited text: ${error.message}`, {
            advice: 'Quotes inside a quoted cell must be doubled; --delimiter sets another separator.',
            cause: error,
          });
        }
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => void stream.destroy(),
  };
}

/** What is read is put back, so that the parser meets it again. */
async function firstChunk(stream: NodeJS.ReadableStream & { unshift(chunk: Buffer): void }): Promise<string> {
  for (;;) {
    const chunk: Buffer | string | null = stream.read();
    if (chunk !== null) {
      const bytes = Buffer.from(chunk);
      stream.unshift(bytes);
      return bytes.toString('utf8').split(/\r?\n/, 1)[0] ?? '';
    }
    const isOver = await new Promise<boolean>((resolve, reject) => {
      stream.once('readable', () => resolve(false));
      stream.once('end', () => resolve(true));
      stream.once('close', () => resolve(true));
      stream.once('error', reject);
    });
    if (isOver) return '';
  }
}

function mostFrequentSeparator(line: string): string {
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const counted = SEPARATORS.map((separator) => ({ separator, count: unquoted.split(separator).length }));
  return counted.reduce((best, other) => (other.count > best.count ? other : best)).separator;
}

function uniqueNames(cells: readonly string[], path: string): readonly string[] {
  const twice = cells.find((cell, index) => cells.indexOf(cell) !== index);
  if (twice === undefined) return cells;
  throw new CommandFailure('bad_data', `${path} has two columns named ${JSON.stringify(twice)}`, {
    advice: 'Rename one, or pass --no-header to name the columns column0, column1 and so on (the first line is then a row).',
  });
}

function toRow(cells: readonly string[], names: readonly string[]): ReadRow {
  if (cells.length !== names.length) return { kind: 'fault', reason: `has ${cells.length} cells instead of ${names.length}` };
  const filled = names.flatMap((name, index) => (cells[index] === '' ? [] : [[name, cells[index]] as const]));
  return { kind: 'row', row: Object.fromEntries(filled) };
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}
