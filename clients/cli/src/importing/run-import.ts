// SPDX-License-Identifier: Apache-2.0
/** One import from its first look at the file to the sentence that says what came in. */

import { stringifyJson } from '@sextant/foundation-std';
import { InvalidRequestError, SextantError, type VectorClient, type VectorParams } from '@sextant/sdk';
import { LONG_WORK, vectorClient } from '../connection/clients.ts';
import { serviceFailure } from '../connection/service-failure.ts';
import { CommandFailure } from '../failure.ts';
import type { ColumnMapping } from '../points/column-mapping.ts';
import { type Beside, formatOfName, type OpenOptions, openBeside } from '../rows/open-rows.ts';
import type { ReadRow, RowSource } from '../rows/row-source.ts';
import { STANDARD_INPUT } from '../rows/text-bytes.ts';
import type { Shell } from '../shell.ts';
import { count, duration } from '../terminal/figures.ts';
import { type ImportFigures, importRows } from './import-rows.ts';
import { fileIdentity, type ImportState, openImportState } from './import-state.ts';
import { prepareCollection } from './prepare-collection.ts';

export type ImportRequest = {
  readonly collection: string;
  readonly file: string;
  readonly beside: readonly Beside[];
  readonly reading: OpenOptions;
  readonly mapping: Omit<ColumnMapping, 'cellsAreText'>;
  /** How the collection is created if there is none; undefined: it has to be there. */
  readonly creation: { readonly distance: VectorParams['distance']; readonly config: { readonly [name: string]: unknown } } | undefined;
  readonly batchRows: number;
  readonly batchesInFlight: number;
  readonly onFault: 'stop' | 'skip';
  readonly limit: number | undefined;
  /** Undefined: progress is not noted. */
  readonly statePath: string | undefined;
  readonly restart: boolean;
};

/** Of a request's JSON; well below what services take by default. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Rows that are left out are named up to here, and then only counted. */
const NAMED_FAULTS_MAX = 10;

export async function runImport(shell: Shell, request: ImportRequest): Promise<void> {
  const { terminal, clock, signal } = shell;
  const mapping = { ...request.mapping, cellsAreText: (request.reading.format ?? formatOfName(request.file)) === 'csv' };
  const client = await vectorClient(shell);
  const state = await openState(client, request, mapping);
  if (state.rows > 0) terminal.note(`Continuing after row ${count(state.rows)}.`);
  await prepareCollection(client, request, mapping, signal);
  await using source = await openBeside(request.file, request.beside, request.reading);
  // Nothing may come of standard input any more, and a read of it would not end.
  const stopReading = () => void (request.file === STANDARD_INPUT && source[Symbol.asyncDispose]());
  signal.addEventListener('abort', stopReading, { once: true });
  const progress = terminal.progress({ label: request.collection, unit: 'rows', from: state.rows });
  const startedMs = clock.monotonicMs();
  const collection = client.collection(request.collection);
  let named = 0;
  let done = state.rows;
  let figures: ImportFigures;
  try {
    figures = await importRows(
      limited(source.rows(state.rows), request.limit === undefined ? undefined : request.limit - state.rows),
      { ...request, mapping, from: state.rows, batchBytes: BATCH_BYTES, signal },
      {
        send: async (points) => void (await collection.upsert(points, LONG_WORK)),
        refusal: (error) => (isAboutPoints(error) ? error.message : undefined),
        acknowledged: async (rows) => {
          done = rows;
          await state.save(rows);
          progress.show({ done: rows, share: shareOf(source, rows, request.limit) });
        },
        leftOut: (row, reason) => {
          named += 1;
          if (named <= NAMED_FAULTS_MAX) terminal.warn(`row ${row} is skipped: it ${reason}`);
          if (named === NAMED_FAULTS_MAX) terminal.warn('further skipped rows are only counted');
        },
      },
    );
  } catch (error) {
    progress.end();
    throw withProgress(error, done, request);
  }
  progress.end();
  if (signal.aborted) {
    throw new CommandFailure('interrupted', `interrupted after row ${count(done)}`, { advice: advised(request) });
  }
  await state.remove();
  const seconds = (clock.monotonicMs() - startedMs) / 1000;
  const result = { collection: request.collection, rows: figures.rows, points: figures.sent, left_out: figures.leftOut, seconds };
  terminal.result(result, () => {
    const omitted = figures.leftOut > 0 ? `, skipped ${count(figures.leftOut)} rows` : '';
    const rate = count(Math.round(figures.sent / Math.max(0.001, seconds)));
    return `Imported ${count(figures.sent)} points into ${request.collection} in ${duration(seconds)} (${rate}/s)${omitted}.`;
  });
}

function advised({ statePath }: ImportRequest): string {
  return statePath === undefined
    ? 'Without a state file, the next import starts with the first row.'
    : 'Run the same command again to continue from there.';
}

/** Refusals that another point would not meet; a full collection refuses them all. */
const ABOUT_POINTS: ReadonlySet<string | undefined> = new Set([
  'invalid_request',
  'dimension_mismatch',
  'vector_name_unknown',
  'not_supported_yet',
]);

function isAboutPoints(error: unknown): error is InvalidRequestError {
  return error instanceof InvalidRequestError && ABOUT_POINTS.has(error.code);
}

/** Says with a failure how many rows are in. */
function withProgress(error: unknown, done: number, request: ImportRequest): unknown {
  const failure = error instanceof SextantError ? serviceFailure(error) : error;
  if (!(failure instanceof CommandFailure)) return error;
  const isNoted = request.statePath !== undefined && request.file !== STANDARD_INPUT;
  const goesOn = isNoted ? 'run the same command again to continue from there' : 'the next import starts with the first row';
  const progress = done === 0 ? 'No row was imported.' : `The first ${count(done)} rows are imported; ${goesOn}.`;
  const advice = failure.advice === undefined ? progress : `${failure.advice} ${progress}`;
  return new CommandFailure(failure.outcome, failure.message, { advice, cause: error });
}

/** Standard input cannot be read a second time, so there is nothing to note. */
async function openState(client: VectorClient, request: ImportRequest, mapping: ColumnMapping): Promise<ImportState> {
  const { statePath, file, beside, collection, restart, limit } = request;
  if (statePath === undefined || file === STANDARD_INPUT) return { rows: 0, save: async () => {}, remove: async () => {} };
  const paths = [file, ...beside.map(({ path }) => path)];
  const files = await Promise.all(
    paths.map((path) =>
      fileIdentity(path).catch((cause: unknown) => {
        throw new CommandFailure('bad_data', `${path} does not exist or may not be read`, { cause });
      }),
    ),
  );
  const job = { files, url: client.url, collection, mapping: stringifyJson({ ...mapping, names: beside.map(({ name }) => name), limit }) };
  return openImportState(statePath, job, restart);
}

async function* limited(rows: AsyncIterable<ReadRow>, limit: number | undefined): AsyncGenerator<ReadRow> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for await (const row of rows) {
    yield row;
    left -= 1;
    if (left <= 0) return;
  }
}

function shareOf({ rowCount, bytes }: RowSource, rows: number, limit: number | undefined): number | undefined {
  const total = rowCount === undefined ? limit : Math.min(rowCount, limit ?? rowCount);
  if (total !== undefined) return total === 0 ? 1 : rows / total;
  return bytes === undefined || bytes.total === 0 ? undefined : bytes.read() / bytes.total;
}
