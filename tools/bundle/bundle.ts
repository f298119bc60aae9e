// SPDX-License-Identifier: Apache-2.0
/**
 * Bundles programs of ours with their libraries into one folder that runs wherever it lies: for the packages that are published, and for the system
 * tests, whose services start from it in half the processor time. The threads and processes that a program starts become files beside it, and so do
 * the files that it reads.
 *
 * The bundler is rolldown, which the test runner brings along anyway.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { addresses, LIBRARY_FOLDER } from './addresses.ts';
import { lateRequires, requiredLate } from './late-requires.ts';
import { leanHttp } from './lean-http.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The command line, which starts the services, so that they come along. */
export const PROGRAMS: readonly string[] = ['clients/cli/src/main.ts'];

/** Packages that programs load from beside the bundle. */
export const EXTERNAL_PACKAGES = {
  /** They hold native code, which no bundle can, or look for a native counterpart when they are loaded. */
  installed: ['@duckdb/node-bindings', 'lmdb', 'pg'],
  /** The clients of object stores: large, and most services connect to one kind or none. */
  optional: [
    '@aws-sdk/client-s3',
    '@azure/storage-blob',
    '@google-cloud/storage',
    '@smithy/node-http-handler',
    'google-auth-library',
    'teeny-request',
  ],
} as const;

export type Bundle = {
  /** Packages that are in the bundle, by the folders that they were taken from. */
  readonly libraryFolders: readonly string[];
  /** Names of the packages that the bundle loads from beside itself. */
  readonly importedPackages: readonly string[];
};

/** Beside a bundle that others take over: what it is. */
export const BUNDLE_FILE = 'bundle.json';

export type BundleOptions = {
  /** Paths from the root of the repository. */
  readonly entries: readonly string[];
  /** Its content is replaced. */
  readonly directory: string;
  /** Programs that the entries start where they are there, and that this bundle does without. */
  readonly withoutPrograms?: readonly string[];
};

const EXTERNAL: readonly string[] = Object.values(EXTERNAL_PACKAGES).flat();

export async function bundlePrograms({ entries, directory, withoutPrograms = [] }: BundleOptions): Promise<Bundle> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  // Tests ask for what is built already far more often, and do without its half second.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [programName(entry), join(ROOT, entry)])),
    platform: 'node',
    external: isExternal,
    plugins: [
      leanHttp(),
      lateRequires(isExternal),
      addresses({ root: ROOT, fileNameOf: (path) => `${programName(slashes(relative(ROOT, path)))}.mjs`, withoutPrograms }),
    ],
    // A library that is missing would otherwise become an import that fails at run time.
    onLog: (level, log) => {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') throw new Error(`${log.code}: ${log.message}`);
    },
  });
  try {
    const { output } = await bundle.write({
      dir: directory,
      entryFileNames: '[name].mjs',
      // In the same folder, so that what is found beside one chunk is found beside each.
      chunkFileNames: '[name]-[hash].mjs',
      intro: `const ${LIBRARY_FOLDER} = import.meta.dirname + '/libraries';`,
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
    requireOwnPrograms(chunks);
    return { libraryFolders: libraryFoldersOf(chunks), importedPackages: importedPackagesOf(chunks) };
  } finally {
    await bundle.close();
  }
}

/** A program that imports another one, such as a thread, would run it. */
function requireOwnPrograms(chunks: readonly OutputChunk[]): void {
  const programs = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const { fileName, imports } of chunks) {
    const imported = imports.find((each) => programs.has(each));
    if (imported !== undefined) throw new Error(`${fileName} of the bundle imports the program ${imported} and would run it`);
  }
}

/** How the file of a program is called in the bundle: services after their folder, threads and child processes after their file. */
function programName(path: string): string {
  const name = path.split('/').at(-1)?.replace(/\.ts$/, '') ?? '';
  if (name !== 'main') return name;
  const [layer = '', folder = ''] = path.split('/');
  return folder === 'server' ? layer : folder;
}

function libraryFoldersOf(chunks: readonly OutputChunk[]): readonly string[] {
  const folders = chunks.flatMap(({ moduleIds }) =>
    moduleIds.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? []),
  );
  return [...new Set(folders)].toSorted();
}

function importedPackagesOf(chunks: readonly OutputChunk[]): readonly string[] {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const names = chunks
    .flatMap(({ imports, dynamicImports, code }) => [...imports, ...dynamicImports, ...requiredLate(code)])
    .filter((id) => !own.has(id) && !isBuiltin(id))
    .map(packageOf);
  return [...new Set(names)].toSorted();
}

function isExternal(id: string): boolean {
  return EXTERNAL.includes(packageOf(id));
}

/** `@scope/name` of `@scope/name/path`. */
function packageOf(id: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
