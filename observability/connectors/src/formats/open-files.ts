/** Makes files ready for the scan engine: one format, one compression, text in UTF-8. Only other files are written again. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Description, type OpenedSource, SourceError } from '../connector.ts';
import type { ByteSource } from './byte-source.ts';
import { toUtf8 } from './encoding.ts';
import { type FormatHints, type RecognisedFile, recogniseFile } from './recognise.ts';

/** A file on this machine that its holder keeps open. */
export type LocalFile = ByteSource &
  AsyncDisposable & {
    /** Leads to the file as long as it is held open. */
    readonly path: string;
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
  const recognised = await Promise.all(files.map((file) => recogniseFile(file, preparation.hints)));
  const [first] = recognised;
  if (first === undefined) throw new SourceError('no file matches the path', { member: 'payload.path' });
  const odd = recognised.findIndex(({ format }) => !isSameFormat(format, first.format));
  if (odd !== -1) throw differentFormats(files[0]?.name, files[odd]?.name);

  const isUniform = recognised.every(({ compression }) => compression === first.compression);
  const isAsItIs = ({ encoding, compression }: RecognisedFile) => encoding === 'utf-8' && (isUniform || compression === 'none');
  const staysPacked = first.compression === 'gzip' && recognised.every(isAsItIs);
  const directory = await mkdtemp(join(preparation.temporaryDirectory, 'prepared-'));
  held.defer(() => rm(directory, { recursive: true, force: true }));
  const paths: string[] = [];
  for (const [index, file] of files.entries()) {
    const described = recognised[index] ?? first;
    const isReady = staysPacked || (described.encoding === 'utf-8' && described.compression === 'none');
    paths.push(isReady ? file.path : await rewritten(file, described, join(directory, String(index)), preparation));
  }
  const release = held.move();
  return {
    description: describeFiles(files, recognised),
    data: { kind: 'files', paths, format: first.format, compression: staysPacked ? 'gzip' : 'none' },
    confirmUnchanged: async () => {
      for (const file of files) await file.confirmUnchanged();
    },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

export function describeFiles(
  files: readonly Pick<LocalFile, 'bytes' | 'modifiedAt'>[],
  recognised: readonly RecognisedFile[],
): Description {
  const times = files.flatMap(({ modifiedAt }) => (modifiedAt === null ? [] : [modifiedAt.getTime()]));
  return {
    columns: recognised[0]?.columns ?? [],
    modified_at: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function isSameFormat(one: RecognisedFile['format'], other: RecognisedFile['format']): boolean {
  if (one.kind !== 'delimited' || other.kind !== 'delimited') return one.kind === other.kind;
  return one.separator === other.separator && one.header === other.header;
}

function differentFormats(one = '', other = ''): SourceError {
  return new SourceError(`${one} and ${other} match the same path but differ in format; narrow the path, or set file_type and separator`, {
    member: 'payload.path',
  });
}

async function rewritten(file: LocalFile, described: RecognisedFile, path: string, { bytesMax, signal }: Preparation): Promise<string> {
  const steps: Transform[] = [];
  if (described.compression === 'gzip') steps.push(createGunzip());
  if (described.encoding !== 'utf-8') steps.push(toUtf8(described.encoding));
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
    throw new SourceError(`${file.name} cannot be unpacked: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      member: 'payload.path',
    });
  }
  return path;
}

export function tooLarge(name: string, bytesMax: number): SourceError {
  return new SourceError(`${name} is larger than the limit of ${bytesMax} bytes`, { member: 'payload.path' });
}
