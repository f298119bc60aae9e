/**
 * Bundles each service with its libraries into a few files before the system tests. The threads of the vector service load 5,000 modules at a start, and
 * the observability service 1,800; a start from a bundle takes half the processor time, or less. What runs is the same source. The launcher's tests and
 * those of the CLI start the services from source.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { systemClock } from '@sextant/foundation-std';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Below the libraries, where native code is found. */
const BUNDLES = join(ROOT, 'node_modules/.cache/bundled-services');
const SOURCES = ['{contracts,foundation,observability,vector}/*/src/**/*.ts', 'package-lock.json', 'system-tests/src/bundle-services.ts'];
/** Libraries with native code, which no bundle can hold, and such as are large and loaded by few tests. */
const EXTERNAL = [
  /^lmdb/,
  /^msgpackr/,
  /^@duckdb/,
  /^pg/,
  /^@aws-sdk/,
  /^@azure/,
  /^@google-cloud/,
  /^google-auth-library/,
  /^teeny-request/,
  /^@smithy/,
];
const DAY_MS = 86_400_000;
/** How a thread's file is named where it is started; beside a bundle stand the bundles of the threads. */
const THREAD_ADDRESS = 'new URL(file, import.meta.url)';
const BUNDLED_THREAD_ADDRESS = "new URL(file.replace(/ts$/, 'mjs'), import.meta.url)";

/** Run once before the system tests: what they start, they start from bundles. */
export async function setup(): Promise<void> {
  process.env.VECTOR_ENTRY = await bundled(join(ROOT, 'vector/server/src/main.ts'));
  process.env.OBSERVABILITY_ENTRY = await bundled(join(ROOT, 'observability/server/src/main.ts'));
}

/** Resolves with the file that starts the bundle of the service that `entry` starts; it is made once of the same sources. */
async function bundled(entry: string): Promise<string> {
  const directory = join(BUNDLES, `${basename(dirname(dirname(dirname(entry))))}-${fingerprint()}`);
  const started = join(directory, 'main.mjs');
  if (existsSync(started)) return started;
  mkdirSync(BUNDLES, { recursive: true });
  removeOld();
  const draft = mkdtempSync(join(BUNDLES, '.draft-'));
  try {
    const bundle = await rolldown({
      input: { main: entry, ...threadsOf(entry) },
      platform: 'node',
      external: EXTERNAL,
      plugins: [addresses()],
    });
    await bundle.write({ dir: draft, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
    await bundle.close();
    renameSync(draft, directory);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another run was faster.
    if (!existsSync(started)) throw error;
  }
  return started;
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

function threadsOf(entry: string): { readonly [name: string]: string } {
  const folder = join(dirname(entry), 'threads');
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder).filter((file) => file.endsWith('-thread.ts') && file !== 'supervised-thread.ts');
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(folder, file)]));
}

/** Everything that is found beside a module of ours is still found there, but for the threads. */
function addresses(): Plugin {
  return {
    name: 'addresses',
    transform: (code, id) => {
      if (!/import\.meta\.(?:url|dirname)|__dirname/.test(code)) return null;
      if (!id.endsWith('supervised-thread.ts')) {
        // CommonJS modules of libraries have the other words for it.
        const folder = JSON.stringify(dirname(id));
        return code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll(/\bimport\.meta\.dirname\b|\b__dirname\b/g, folder);
      }
      if (!code.includes(THREAD_ADDRESS)) throw new Error(`${id} starts its threads in another way than by ${THREAD_ADDRESS}`);
      return code.replace(THREAD_ADDRESS, BUNDLED_THREAD_ADDRESS);
    },
  };
}
