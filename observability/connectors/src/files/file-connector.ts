// SPDX-License-Identifier: Apache-2.0
/** Files of the machine that the service runs on, below directories that the operator allows. */
import { opendir, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Connector, type Description, type ListedItem, type OpenConnection, SourceError } from '../connector.ts';
import { describeFiles, type LocalFile, openFiles, tooLarge } from '../formats/open-files.ts';
import { formatHints, recogniseFile } from '../formats/recognise.ts';
import { type AssetPath, assetPath, MATCHES_MAX, noMatch, tooManyMatches } from '../formats/wildcard.ts';
import { noCredential, type Payload, requiredText } from '../payload.ts';
import { isInside, openLocalFile } from './local-file.ts';

export type FileConnectorOptions = {
  /** Absolute paths; none lets no connection through. */
  readonly allowedDirectories: readonly string[];
  /** Limit of one asset. */
  readonly bytesMax: number;
};

export function createFileConnector({ allowedDirectories, bytesMax }: FileConnectorOptions): Connector {
  const directoryOf = (connection: OpenConnection) => allowedDirectory(connection.payload, allowedDirectories);
  const filesOf = async (connection: OpenConnection, path: AssetPath): Promise<readonly LocalFile[]> => {
    const directory = await directoryOf(connection);
    return openAll(directory, await pathsOf(directory, path));
  };
  return {
    kind: 'FILE',
    validateConnection: async (payload, credential) => {
      noCredential(credential);
      await allowedDirectory(payload, allowedDirectories);
    },
    validateAsset: (payload) => {
      formatHints({ payload });
      assetPath(payload, true);
    },
    test: async (connection) => {
      await readdir(await directoryOf(connection));
    },
    list: async (connection, { limit, signal }) => listFiles(await directoryOf(connection), limit, signal),
    describe: async (connection, location): Promise<Description> => {
      const hints = formatHints(location);
      const files = await filesOf(connection, assetPath(location.payload, location.resolveWildcards === true));
      await using held = new AsyncDisposableStack();
      for (const file of files) held.use(file);
      return describeFiles(files, await Promise.all(files.slice(0, 1).map((file) => recogniseFile(file, hints))));
    },
    open: async (connection, location, { signal, temporaryDirectory, onProgress }) => {
      const hints = formatHints(location);
      const files = await filesOf(connection, assetPath(location.payload, location.resolveWildcards === true));
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      if (bytes > bytesMax) {
        await Promise.all(files.map((file) => file[Symbol.asyncDispose]()));
        throw tooLarge(files.length === 1 ? (files[0]?.name ?? '') : 'what matches the path', bytesMax);
      }
      const opened = await openFiles(files, { hints, temporaryDirectory, bytesMax, signal });
      onProgress?.(bytes, bytes);
      return opened;
    },
  };
}

export function directoryMember(payload: Payload): string {
  const directory = requiredText(payload, 'directory', 'the absolute path of a directory that the operator allows');
  if (!isAbsolute(directory)) throw new SourceError('payload.directory must be an absolute path', { member: 'payload.directory' });
  return directory;
}

/** The real path of the connection's directory. What lies outside is refused in the same words whether it exists or not. */
export async function allowedDirectory(payload: Payload, allowedDirectories: readonly string[]): Promise<string> {
  const directory = directoryMember(payload);
  const refused = new SourceError(`payload.directory ${directory} is not a directory that the operator allows`, {
    member: 'payload.directory',
  });
  const real = await realpath(directory).catch(() => undefined);
  const allowed = await Promise.all(allowedDirectories.map((path) => realpath(path).catch(() => undefined)));
  const isAllowed = real !== undefined && allowed.some((path) => path !== undefined && (path === real || isInside(path, real)));
  if (!isAllowed || !(await stat(real)).isDirectory()) throw refused;
  return real;
}

async function openAll(directory: string, paths: readonly string[]): Promise<readonly LocalFile[]> {
  await using opening = new AsyncDisposableStack();
  const files: LocalFile[] = [];
  for (const path of paths) files.push(opening.use(await openLocalFile(directory, path)));
  opening.move();
  return files;
}

async function pathsOf(directory: string, path: AssetPath): Promise<readonly string[]> {
  if (path.kind === 'one') return [path.path];
  const parent = await realpath(join(directory, path.parent)).catch(() => undefined);
  if (parent === undefined || !(parent === directory || isInside(directory, parent))) throw noMatch(path.path);
  const names = (await readdir(parent).catch(() => [])).filter((name) => path.segment(name)).sort();
  if (names.length > MATCHES_MAX) throw tooManyMatches(path.path);
  const candidates = names.map((name) => `${path.parent}${name}${path.rest}`);
  const isFile = await Promise.all(candidates.map((candidate) => isFileAt(directory, candidate, path.rest !== '')));
  const found = candidates.filter((_, index) => isFile[index]);
  if (found.length === 0) throw noMatch(path.path);
  return found;
}

/** A folder for which the * stands need not hold the file; all else that matches and cannot be read must not be left out in silence. */
async function isFileAt(directory: string, path: string, mayBeMissing: boolean): Promise<boolean> {
  try {
    return (await stat(join(directory, path))).isFile();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    // Opening it fails then, in the same words as for what is not there for us.
    return !(mayBeMissing && (code === 'ENOENT' || code === 'ENOTDIR'));
  }
}

/** Breadth first, links left out, until the limit. */
export async function listFiles(directory: string, limit: number, signal: AbortSignal): Promise<readonly ListedItem[]> {
  const items: ListedItem[] = [];
  const folders = [''];
  for (const folder of folders) {
    for await (const entry of await opendir(join(directory, folder))) {
      signal.throwIfAborted();
      if (items.length >= limit) return items;
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory() && folders.length < FOLDERS_MAX) folders.push(`${path}/`);
      if (!entry.isFile()) continue;
      const status = await stat(join(directory, path));
      items.push({ payload: { path }, name: path, bytes: status.size, modified_at: status.mtime.toISOString() });
    }
  }
  return items;
}

/** Folders that one listing walks through. */
const FOLDERS_MAX = 10_000;
