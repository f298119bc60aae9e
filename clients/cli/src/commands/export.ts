// SPDX-License-Identifier: Apache-2.0
/** `sextant export`: the points of a collection as a file that `sextant import` reads back. */
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { stringifyJson } from '@sextant/foundation-std';
import type { Filter } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { type ExportedPoint, pagesOf } from '../exporting/points-of-collection.ts';
import { CommandFailure } from '../failure.ts';
import { spacesOf } from '../points/vector-spaces.ts';
import { formatOfName } from '../rows/open-rows.ts';
import { STANDARD_INPUT } from '../rows/text-bytes.ts';
import type { Shell } from '../shell.ts';
import { count } from '../terminal/figures.ts';
import { writeInPlace } from '../whole-file.ts';
import { jsonObject, wholeNumber } from './option-values.ts';

const EXPORT_FORMATS = ['ndjson', 'parquet'] as const;

export function exportCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, signal } = shell;
  return new Command('export')
    .summary('write the points of a collection to a file')
    .description(
      'Writes points with vectors and payloads in the order of their ids, in bounded memory. The file is either complete or absent.',
    )
    .argument('<collection>', 'whose points')
    .argument('[file]', 'output file (default, and with -: standard output); files named .gz or .zst are compressed', STANDARD_INPUT)
    .addOption(new Option('--format <format>', 'format of the file (default: that of the file name, else ndjson)').choices(EXPORT_FORMATS))
    .option('--filter <json>', 'which points', jsonObject)
    .option('--limit <n>', 'maximum number of points', wholeNumber({ min: 1 }))
    .option('--no-vectors', 'omit vectors')
    .option('--no-payload', 'omit payloads')
    .action(async (name, file, { format = formatOf(file), filter, limit, vectors, payload }) => {
      const collection = (await vectorClient(shell)).collection(name);
      const info = await collection.info({ signal });
      const spaces = spacesOf(info);
      const selection = { filter: filter as Filter | undefined, limit, withPayload: payload, withVector: vectors };
      const expected = filter === undefined ? Math.min(info.points_count, limit ?? Number.POSITIVE_INFINITY) : undefined;
      const progress = terminal.progress({ label: name, unit: 'points' });
      let done = 0;
      const points = async function* (): AsyncGenerator<ExportedPoint> {
        for await (const page of pagesOf(collection, spaces, selection, signal)) {
          yield* page;
          done += page.length;
          progress.show({ done, share: expected === undefined || expected === 0 ? undefined : Math.min(1, done / expected) });
        }
      };
      try {
        if (file === STANDARD_INPUT) await writeToOutput(shell, format, points());
        else
          await writeInPlace(file, async (draft) => {
            if (format === 'ndjson') return writeLines(draft, file, points());
            const { writeParquet } = await import('../exporting/parquet-points.ts');
            await writeParquet(draft, points(), { spaces, ...selection });
          });
      } finally {
        progress.end();
      }
      if (file !== STANDARD_INPUT) {
        terminal.result({ collection: name, file, format, points: done }, () => `Exported ${count(done)} points of ${name} to ${file}.`);
      }
    });
}

function formatOf(file: string): (typeof EXPORT_FORMATS)[number] {
  const format = file === STANDARD_INPUT ? 'ndjson' : (formatOfName(file) ?? 'ndjson');
  if (format === 'ndjson' || format === 'parquet') return format;
  throw new CommandFailure('usage', `points cannot be written as ${format}`, {
    advice: 'Name the file .ndjson or .parquet, or pass --format.',
  });
}

async function writeToOutput({ terminal }: Shell, format: string, points: AsyncIterable<ExportedPoint>): Promise<void> {
  if (format === 'parquet') {
    throw new CommandFailure('usage', 'a Parquet file cannot be written to standard output', { advice: 'Pass a file name.' });
  }
  for await (const point of points) await terminal.write(`${stringifyJson(point)}\n`);
}

async function writeLines(draft: string, file: string, points: AsyncIterable<ExportedPoint>): Promise<void> {
  const lines = new Transform({
    writableObjectMode: true,
    transform: (point: ExportedPoint, _encoding, done) => done(null, `${stringifyJson(point)}\n`),
  });
  const packed = file.endsWith('.gz') ? [createGzip()] : file.endsWith('.zst') ? [createZstdCompress()] : [];
  await pipeline([Readable.from(points), lines, ...packed, createWriteStream(draft)]);
}
