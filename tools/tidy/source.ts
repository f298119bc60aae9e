// SPDX-License-Identifier: Apache-2.0
/** The workspaces and their source files as the rules see them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type SourceFile = {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
};

export type SourcePackage = {
  /** The name without its scope: `vector-storage`. */
  readonly name: string;
  /** Folder from the root: `vector/storage`. */
  readonly folder: string;
  readonly dependencies: readonly string[];
  /** What others may import beside the name of the package: `schemas` of `@sextant/contracts-vector/schemas`. */
  readonly entries: readonly string[];
  readonly files: readonly SourceFile[];
};

/** What one rule has to say about one file. */
export type Finding = { readonly path: string; readonly line?: number; readonly message: string };

export const SCOPE = '@sextant/';

/** Every workspace of the root package.json, with its TypeScript files; the kernel's AssemblyScript is another language. */
export function readPackages(root: string): readonly SourcePackage[] {
  const workspaces = readManifest(join(root, 'package.json')).workspaces ?? [];
  const manifests = globSync(
    workspaces.map((workspace) => `${workspace}/package.json`),
    { cwd: root },
  );
  return manifests.toSorted().map((path) => {
    const manifest = readManifest(join(root, path));
    const folder = slashes(dirname(path));
    return {
      name: manifest.name.replace(SCOPE, ''),
      folder,
      dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
      entries: Object.keys(manifest.exports ?? {}).flatMap((path) => (path.startsWith('./') ? [path.slice(2)] : [])),
      files: readFiles(root, `${folder}/**/*.{ts,tsx}`),
    };
  });
}

/** Files below `root` that match, sorted by path. AssemblyScript is another language than TypeScript, and is read only where it is asked for. */
export function readFiles(root: string, pattern: string, exclude = ['vector/kernel/assembly/**']): readonly SourceFile[] {
  const paths = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', ...exclude] });
  return paths
    .map(slashes)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

type Manifest = {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly exports?: { readonly [path: string]: string };
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
};

function readManifest(path: string): Manifest {
  // Our own manifests: npm has refused a wrong one before this runs.
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
