/**
 * The vector service with its libraries in a few files. Its threads load 5,000 modules at a start, which is most of what a test that starts it a hundred
 * times waits for: a start takes between a half and a third of the processor time this way. What runs is the same source.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type Plugin, rolldown } from 'rolldown';
import { startVectorServer, VECTOR_ENTRY } from './vector-server.ts';

const THREADS = join(dirname(VECTOR_ENTRY), 'threads');
/** Where a thread's file is named; beside a bundle stand the bundles of the threads. */
const THREAD_ADDRESS = 'new URL(file, import.meta.url)';
const BUNDLED_THREAD_ADDRESS = "new URL(file.replace(/ts$/, 'mjs'), import.meta.url)";
/** Native code, which no bundle can hold. */
const NATIVE = [/^lmdb/, /^msgpackr/];

/** Resolves with the file that starts it. `name` tells bundles apart that are made at the same time. */
export async function bundleVectorService(name: string): Promise<string> {
  // Below the libraries, where native code is found; always the same, so that the compile cache holds one of each.
  const dir = fileURLToPath(new URL(`../../node_modules/.cache/bundled-vector-service/${name}/`, import.meta.url));
  const threads = readdirSync(THREADS).filter((file) => file.endsWith('-thread.ts') && file !== 'supervised-thread.ts');
  const input = Object.fromEntries(threads.map((file) => [file.replace(/\.ts$/, ''), join(THREADS, file)]));
  const bundle = await rolldown({ input: { main: VECTOR_ENTRY, ...input }, platform: 'node', external: NATIVE, plugins: [addresses()] });
  await bundle.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', cleanDir: true });
  await bundle.close();
  const entry = join(dir, 'main.mjs');
  // One that ends in peace leaves what Node.js made of the modules to those that are killed.
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, entry });
  await server.stop();
  return entry;
}

/** Everything that is found beside a module of ours is still found there, but for the threads. */
function addresses(): Plugin {
  return {
    name: 'addresses',
    transform: (code, id) => {
      if (!/import\.meta\.url|__dirname/.test(code)) return null;
      if (!id.endsWith('supervised-thread.ts')) {
        // CommonJS modules of libraries have the other word for it.
        const folder = JSON.stringify(dirname(id));
        return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)).replaceAll(/\b__dirname\b/g, folder);
      }
      if (!code.includes(THREAD_ADDRESS)) throw new Error(`${id} starts its threads in another way than by ${THREAD_ADDRESS}`);
      return code.replace(THREAD_ADDRESS, BUNDLED_THREAD_ADDRESS);
    },
  };
}
