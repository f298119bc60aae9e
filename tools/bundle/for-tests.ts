// SPDX-License-Identifier: Apache-2.0
/**
 * Bundles the programs before the system tests, as `@sextant/sextant` holds them: both services, what starts them, and the command line. The threads
 * of the vector service load 5,000 modules at a start from source, and those of the observability service 1,800; a start from a bundle takes half the
 * processor time, or less. What runs is the same source. Scripts of npm and the README's commands are tested from source.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { startServer, temporaryDirectory } from '@sextant/foundation-testing';
import { bundlePrograms, ROOT } from './bundle.ts';

/** Below the libraries, where what no bundle can hold is found. */
const BUNDLES = join(ROOT, 'node_modules/.cache/bundled-programs');
/** It starts the services, so that they come along. */
const COMMAND_LINE = 'clients/cli/src/main.ts';
const SOURCES = [
  '{contracts,foundation,observability,vector}/*/src/**/*.ts',
  'clients/{cli,sdk}/src/**/*.ts',
  'tools/{bundle,start}/*.ts',
  'vector/kernel/*.wasm',
  'clients/console/dist/.sources',
  'package-lock.json',
];
const DAY_MS = 86_400_000;

/** Run once before the system tests: what they start, they start from the bundle. */
export async function setup(): Promise<void> {
  const directory = await bundledPrograms();
  process.env.VECTOR_ENTRY = join(directory, 'vector.mjs');
  process.env.OBSERVABILITY_ENTRY = join(directory, 'observability.mjs');
  process.env.LAUNCHER_ENTRY = join(directory, 'start.mjs');
  process.env.SEXTANT_PROGRAM = join(directory, 'cli.mjs');
  // A start takes longest where there are most threads; tests of what several threads do to each other ask for them.
  process.env.SERVICE_THREADS ??= '1';
}

/** Resolves with the folder of the bundle; it is made once of the same sources. */
async function bundledPrograms(): Promise<string> {
  const directory = join(BUNDLES, fingerprint());
  if (existsSync(directory)) return directory;
  mkdirSync(BUNDLES, { recursive: true });
  removeOld();
  const draft = mkdtempSync(join(BUNDLES, '.draft-'));
  try {
    await bundlePrograms({ entries: [COMMAND_LINE], directory: draft });
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another run was faster.
    if (!existsSync(directory)) throw error;
  }
  await compileServices(directory);
  return directory;
}

/** Services that end in order leave beside themselves what Node.js made of their modules. Most of those that tests start are killed. */
async function compileServices(bundle: string): Promise<void> {
  await using directory = await temporaryDirectory();
  await Promise.all([
    startAndStop(join(bundle, 'vector.mjs'), {
      SERVICE_DATA_DIR: join(directory.path, 'vector'),
      SERVICE_REST_PORT: '0',
      SERVICE_GRPC_PORT: '0',
    }),
    startAndStop(join(bundle, 'observability.mjs'), {
      OBSERVABILITY_DATA_DIR: join(directory.path, 'observability'),
      OBSERVABILITY_PORT: '0',
    }),
  ]);
}

async function startAndStop(entry: string, environment: { readonly [name: string]: string }): Promise<void> {
  await using server = await startServer({ entry, environment });
  await server.stop();
}

/** Another run may still use a bundle of older sources, but not for a day. */
function removeOld(): void {
  for (const name of readdirSync(BUNDLES)) {
    const directory = join(BUNDLES, name);
    if (systemClock.nowMs() - statSync(directory).mtimeMs > DAY_MS) rmSync(directory, { recursive: true, force: true });
  }
}

/** Of the sources as they are; two that differ have different ones. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted()) {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
