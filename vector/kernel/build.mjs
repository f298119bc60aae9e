// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles assembly/ to kernel.wasm, numbers.wasm and max-sim.wasm, if the sources, the flags or the compiler have changed since. Each module carries a hash
 * of what it was made from in a custom section, so that one file is all there is to compare.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const sources = join(root, 'assembly');
const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd,threads,relaxed-simd'];
const sharedMemory = ['--importMemory', '--sharedMemory', '--initialMemory', '2', '--maximumMemory', '65536'];
const ownMemory = ['--initialMemory', '9', '--maximumMemory', '9'];
const growingMemory = ['--initialMemory', '2', '--maximumMemory', '1024'];

const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc'));
const compilerPackage = readFileSync(join(dirname(compiler), '..', 'package.json'), 'utf8');

await build({ name: 'kernel', entry: 'index.ts', memory: sharedMemory });
await build({ name: 'numbers', entry: 'numbers.ts', memory: ownMemory });
await build({ name: 'max-sim', entry: 'max-sim.ts', memory: growingMemory });

async function build({ name, entry, memory }) {
  const target = join(root, `${name}.wasm`);
  const hash = createHash('sha256').update(JSON.stringify([entry, flags, memory, compilerPackage]));
  for (const source of sourcePaths()) hash.update(source).update(readFileSync(join(sources, source)));
  const section = customSection('sources', hash.digest());
  if (existsSync(target) && readFileSync(target).subarray(-section.length).equals(section)) return;

  const started = performance.now();
  const { default: asc } = await import('assemblyscript/asc');
  const draft = join(root, `${name}.${process.pid}.wasm`);
  const { error, stderr } = await asc.main([join('assembly', entry), '--baseDir', root, '-o', draft, ...flags, ...memory]);
  if (error) {
    console.error(`${stderr.toString()}\n${name}.wasm could not be built: ${error.message}`);
    process.exit(1);
  }
  writeFileSync(draft, Buffer.concat([readFileSync(draft), section]));
  // Whoever loads the module at this moment sees the old one or the new one, never half of one.
  renameSync(draft, target);
  console.log(`${name}.wasm built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** With forward slashes on every system, so that a hash is of the sources alone. */
function sourcePaths() {
  const paths = readdirSync(sources, { recursive: true, withFileTypes: true });
  const files = paths.filter((entry) => entry.isFile()).map((entry) => relative(sources, join(entry.parentPath, entry.name)));
  return files.map((path) => path.replaceAll('\\', '/')).sort();
}

/** A custom section of the binary format: id 0, size, length of the name, name, content; all short enough for one-byte sizes. */
function customSection(name, content) {
  return Buffer.concat([Buffer.from([0, 1 + name.length + content.length, name.length]), Buffer.from(name), content]);
}
