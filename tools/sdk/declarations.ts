// SPDX-License-Identifier: Apache-2.0
/** The declarations of the SDK's public types, as the compiler writes them: the index and every file that it leads to. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { openTypeInliner } from './inlined-types.ts';
import { methodDeclarations } from './method-declarations.ts';
import { schemaComments } from './schema-comments.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SDK = 'clients/sdk';
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const PROJECT = join(ROOT, SDK, 'tsconfig.declarations.json');
/** What is computed from the contracts, which are no part of the package. */
const COMPUTED = ['contract/vector-types.d.ts', 'contract/observability-types.d.ts'];
const METHODS = 'contract/observability-methods.d.ts';

export type Declaration = {
  /** From the SDK's `src`, such as `vector/collection.d.ts`. */
  readonly path: string;
  readonly text: string;
};

/** In the order in which the index leads to them, the index first. Types that do not check are for the type check to tell. */
export function sdkDeclarations(): readonly Declaration[] {
  const directory = mkdtempSync(join(tmpdir(), 'sextant-declarations-'));
  try {
    const options = ['--noCheck', '--singleThreaded', '--project', PROJECT, '--outDir', directory];
    const { stdout } = spawnSync(process.execPath, [COMPILER, ...options], { encoding: 'utf8' });
    writeComputed(join(directory, SDK, 'src'));
    return reachable('index.d.ts', join(directory, SDK, 'src'), stdout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Whether a declaration is not as the compiler wrote it, but what its types come to. */
export function isComputed(path: string): boolean {
  return path === METHODS || COMPUTED.includes(path);
}

function writeComputed(directory: string): void {
  const inliner = openTypeInliner(PROJECT);
  const comments = schemaComments();
  for (const path of COMPUTED) {
    const text = inliner.inline(join(ROOT, SDK, 'src', path.replace(/\.d\.ts$/, '.ts')), (subject) => comments.get(subject));
    writeFileSync(join(directory, path), text);
  }
  inliner.close();
  writeFileSync(join(directory, METHODS), methodDeclarations());
}

function reachable(first: string, directory: string, said: string): readonly Declaration[] {
  const found = new Map<string, Declaration>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    const text = read(join(directory, path), said);
    found.set(path, { path, text });
    for (const specifier of specifiersOf(path, text)) {
      if (!specifier.startsWith('.'))
        throw new Error(`the public types of the SDK lead to ${specifier}, which is not part of it (${path})`);
      visit(posix.join(posix.dirname(path), specifier.replace(/\.ts$/, '.d.ts')));
    }
  };
  visit(first);
  return [...found.values()];
}

function read(path: string, said: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`the compiler wrote no ${path}\n${said}`, { cause });
  }
}

function specifiersOf(path: string, text: string): readonly string[] {
  const { module } = parseSync(path, text);
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const exports = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []));
  return [...new Set([...imports, ...exports])];
}
