// SPDX-License-Identifier: Apache-2.0
/**
 * Makes files ready for the scan engine: one format, unpacked, text in UTF-8. Only other files are written again. They are unpacked here, since DuckDB
 * takes a packed file that was cut for a shorter one.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Description, type FileToScan, type OpenedSource, SourceError } from '../connector.ts';
import type { ByteSource } from './byte-source.ts';
import { writeColumnar } from './columnar/columnar.ts';
import { unpacker } from './compression.ts';
import { toUtf8 } from './encoding.ts';
import { uniformLineEnds } from './line-ends.ts';
import { type FormatHints, type RecognisedFile, recogniseFile } from './recognise.ts';
import { writeSheet } from './workbook.ts';

/** A file on this machine that its holder keeps open. */
export type LocalFile = ByteSource &
  AsyncDisposable & {
    /** Leads to the file as long as it is held open. */
    readonly path: string;
    /** Where people find it: its path below the directory of the connection, or its key. */
    readonly shownPath: string;
    readonly modifiedAt: Date | null;
    /** Throws a `SourceError` where the file is not what it was when it was opened. */
    readonly confirmUnchanged: () => Promise<void>;
  };

export type Preparation = {
  readonly hints: FormatHints;
  readonly temporaryDirectory: string;
  /** Limit of what packed or foreign text may become. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
};

/** Takes the files over: they are closed with what is returned, or when this fails. */
export async function openFiles(files: readonly LocalFile[], preparation: Preparation): Promise<OpenedSource> {
  await using held = new AsyncDisposableStack();
  for (const file of files) held.use(file);
  const recognised = await recogniseFiles(files, preparation.hints);
  const [first] = recognised;
  if (first === undefined) throw new SourceError('no file matches the path', { member: 'payload.path' });
  const directory = await mkdtemp(join(preparation.temporaryDirectory, 'prepared-'));
  held.defer(() => rm(directory, { recursive: true, force: true }));
  const ready: FileToScan[] = [];
  for (const [index, file] of files.entries()) {
    const described = recognised[index] ?? first;
    const isReady =
      described.encoding === 'UTF-8' &&
      described.compression === 'none' &&
      described.hasMixedEnds !== true &&
      described.sheet === undefined &&
      described.columnar === undefined;
    const path = isReady ? file.path : await rewritten(file, described, join(directory, String(index)), preparation);
    ready.push({ path, name: file.shownPath, columns: described.columns });
  }
  const release = held.move();
  return {
    description: describeFiles(files, recognised),
    data: { kind: 'files', files: ready, format: first.format, ...(first.vectors && { vectors: first.vectors }) },
    confirmUnchanged: async () => {
      for (const file of files) await file.confirmUnchanged();
    },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

/** All are read as the first one is; each has an encoding of its own. */
async function recogniseFiles(files: readonly LocalFile[], hints: FormatHints): Promise<readonly RecognisedFile[]> {
  const recognised: RecognisedFile[] = [];
  for (const file of files) {
    const found = await recogniseFile(file, hints);
    const [first = found] = recognised;
    if (!isSameFormat(found.format, first.format)) throw differentFormats(files[0]?.name, file.name);
    recognised.push(found);
  }
  const [first] = recognised;
  if (first?.format.kind !== 'delimited' || recognised.length === 1) return recognised;
  // What a few rows of one file do not show, another may: one reading is right for all.
  const { encoding: _own, ...shared } = first.format.reading;
  return Promise.all(files.map((file) => recogniseFile(file, { ...hints, reading: { ...shared, ...hints.reading } })));
}

export function describeFiles(
  files: readonly Pick<LocalFile, 'bytes' | 'modifiedAt'>[],
  recognised: readonly Pick<RecognisedFile, 'columns' | 'reading' | 'vectors' | 'onlyHere'>[],
): Description {
  const times = files.flatMap(({ modifiedAt }) => (modifiedAt === null ? [] : [modifiedAt.getTime()]));
  const [first] = recognised;
  const onlyHere = files.length === 1 ? first?.onlyHere : 'the rows of each of its files are counted';
  return {
    // Of points, the members of their payloads.
    columns: first?.columns.filter(({ name }) => first.vectors?.names.includes(name) !== true) ?? [],
    modified_at: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(first?.reading && { reading: first.reading }),
    ...(onlyHere !== undefined && { onlyHere }),
  };
}

function isSameFormat(one: RecognisedFile['format'], other: RecognisedFile['format']): boolean {
  if (one.kind !== 'delimited' || other.kind !== 'delimited') return one.kind === other.kind;
  return one.reading.separator === other.reading.separator && one.reading.header === other.reading.header;
}

function differentFormats(one = '', other = ''): SourceError {
  return new SourceError(
    `${one} and ${other} match the same path but differ in format; narrow the path, or set file_type and options.reading`,
    {
      member: 'payload.path',
    },
  );
}

async function rewritten(file: LocalFile, described: RecognisedFile, path: string, { bytesMax, signal }: Preparation): Promise<string> {
  if (described.sheet !== undefined) {
    await writeSheet(file, described.sheet, { target: path, bytesMax, signal });
    return path;
  }
  if (described.columnar !== undefined) {
    await writeColumnar(file, described.columnar, { target: path, bytesMax, signal });
    return path;
  }
  const steps: Transform[] = [];
  if (described.compression !== 'none') steps.push(unpacker(described.compression));
  if (described.encoding !== 'UTF-8') steps.push(toUtf8(described.encoding));
  if (described.hasMixedEnds === true && described.format.kind === 'delimited') steps.push(uniformLineEnds(described.format.reading));
  let bytes = 0;
  const bounded = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw tooLarge(file.name, bytesMax);
      yield chunk;
    }
  };
  try {
    await pipeline([createReadStream(file.path), ...steps, bounded, createWriteStream(path, { flags: 'wx' })], { signal });
  } catch (cause) {
    if (cause instanceof SourceError || signal.aborted) throw cause;
    throw new SourceError(
      `${file.name} cannot be decompressed; it is damaged or truncated: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
        member: 'payload.path',
      },
    );
  }
  return path;
}

export function tooLarge(name: string, bytesMax: number): SourceError {
  return new SourceError(`${name} is larger than the limit of ${bytesMax} bytes`, { member: 'payload.path' });
}
