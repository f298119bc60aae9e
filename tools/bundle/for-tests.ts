// SPDX-License-Identifier: Apache-2.0
/**
 * Bundles the programs before the system tests, as `@sextant/sextant` holds them: both services, what starts them, and the command line. The threads
 * of the vector service load 5,000 modules at a start from source, and those of the observability service 1,800; a start from a bundle takes half the
 * processor time, or less. What runs is the same source. Scripts of npm and the README's commands are tested from source.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer, temporaryDirectory } from '@sextant/foundation-testing';
import { BUNDLE_FILE, bundlePrograms, PROGRAMS } from './bundle.ts';
import { madeOnce } from './made-once.ts';

/** Below the libraries, where what no bundle can hold is found. */
const BUNDLES = 'bundled-programs';
/** Of all programs. */
export const SOURCES = [
  '{contracts,foundation,observability,vector}/*/src/**/*.ts',
  'clients/{cli,sdk}/src/**/*.ts',
  'tools/{bundle,start}/*.ts',
  'vector/kernel/*.wasm',
  'clients/console/dist/.sources',
  'package-lock.json',
];

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

/** Resolves with the folder of the bundle. */
export function bundledPrograms(): Promise<string> {
  return madeOnce({
    name: BUNDLES,
    sources: SOURCES,
    make: async (directory) => {
      const bundle = await bundlePrograms({ entries: PROGRAMS, directory });
      writeFileSync(join(directory, BUNDLE_FILE), JSON.stringify(bundle));
    },
    afterwards: compileServices,
  });
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
