/**
 * Bundles both services before the system tests. The threads of the vector service load 5,000 modules at a start, and the observability service 1,800;
 * a start from a bundle takes half the processor time, or less. What runs is the same source. The launcher's tests and those of the CLI start the
 * services from source.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { bundlePrograms, ROOT } from './bundle.ts';

/** Below the libraries, where what no bundle can hold is found. */
const BUNDLES = join(ROOT, 'node_modules/.cache/bundled-services');
const ENTRIES = ['vector/server/src/main.ts', 'observability/server/src/main.ts'];
const SOURCES = [
  '{contracts,foundation,observability,vector}/*/src/**/*.ts',
  'vector/kernel/*.wasm',
  'clients/console/dist/.sources',
  'package-lock.json',
  'tools/bundle/*.ts',
];
const DAY_MS = 86_400_000;

/** Run once before the system tests: what they start, they start from the bundle. */
export async function setup(): Promise<void> {
  const directory = await bundledServices();
  process.env.VECTOR_ENTRY = join(directory, 'vector.mjs');
  process.env.OBSERVABILITY_ENTRY = join(directory, 'observability.mjs');
}

/** Resolves with the folder of the bundle; it is made once of the same sources. */
async function bundledServices(): Promise<string> {
  const directory = join(BUNDLES, fingerprint());
  if (existsSync(directory)) return directory;
  mkdirSync(BUNDLES, { recursive: true });
  removeOld();
  const draft = mkdtempSync(join(BUNDLES, '.draft-'));
  try {
    await bundlePrograms({ entries: ENTRIES, directory: draft });
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another run was faster.
    if (!existsSync(directory)) throw error;
  }
  return directory;
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
