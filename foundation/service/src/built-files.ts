// SPDX-License-Identifier: Apache-2.0
/** Files that a build has written, with what it compressed beside them. They are held in memory: a build under way takes none of them away. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip';

export type BuiltFile = {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};
const ENDINGS: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** By their paths below the folder, with slashes; none where nothing was built. */
export function readBuiltFiles(folder: URL): ReadonlyMap<string, BuiltFile> {
  const root = fileURLToPath(folder);
  if (!existsSync(root)) return new Map();
  const paths = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.flatMap((path) => {
      const type = TYPES[extname(path)];
      return type === undefined ? [] : [[relative(root, path).replaceAll(sep, '/'), readFile(path, type)] as const];
    }),
  );
}

function readFile(path: string, type: string): BuiltFile {
  const encoded = ENDINGS.filter(([, ending]) => existsSync(path + ending)).map(
    ([encoding, ending]) => [encoding, readFileSync(path + ending)] as const,
  );
  return { type, bytes: readFileSync(path), encoded: new Map(encoded) };
}
