// SPDX-License-Identifier: Apache-2.0
/**
 * Builds the console to dist/, if its sources, those of the SDK or the installed packages have changed since, and compresses each file beside itself,
 * so that servers send bytes that are compressed once. A hash of what it was made from stands in dist/.sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = dirname(fileURLToPath(import.meta.url));
const project = join(root, '..', '..');
const target = join(root, 'dist');
const stamp = join(target, '.sources');
const inputs = [
  ...['index.html', 'vite.config.ts', 'package.json'].map((file) => join(root, file)),
  ...filesBelow(join(root, 'src')),
  ...filesBelow(join(root, 'public')),
  ...filesBelow(join(project, 'clients', 'sdk', 'src')),
  join(project, 'package-lock.json'),
];

/** Fonts are compressed as they are. */
const COMPRESSIBLE = /\.(html|js|css|svg|json)$/;
const COMPRESSIBLE_BYTES_MIN = 1024;

const hash = hashOf(inputs);
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) await build();

async function build() {
  const started = performance.now();
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn', configFile: join(root, 'vite.config.ts') });
  for (const file of filesBelow(target)) if (COMPRESSIBLE.test(file)) compress(file);
  writeFileSync(stamp, hash);
  console.log(`the console built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function compress(file) {
  const bytes = readFileSync(file);
  if (bytes.length < COMPRESSIBLE_BYTES_MIN) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(project.length)).update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
