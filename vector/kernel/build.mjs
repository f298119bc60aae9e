/**
 * Compiles assembly/ to kernel.wasm, if the sources, the flags or the compiler have changed since. The module carries a hash of
 * what it was made from in a custom section, so that one file is all there is to compare.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const target = join(root, 'kernel.wasm');
const sources = join(root, 'assembly');
const flags = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd,threads'];
const memory = ['--importMemory', '--sharedMemory', '--initialMemory', '2', '--maximumMemory', '65536'];

const compiler = fileURLToPath(import.meta.resolve('assemblyscript/asc'));
const hash = createHash('sha256');
hash.update(JSON.stringify([flags, memory, readFileSync(join(dirname(compiler), '..', 'package.json'), 'utf8')]));
for (const name of readdirSync(sources).sort()) hash.update(name).update(readFileSync(join(sources, name)));
const section = customSection('sources', hash.digest());

const isUpToDate = existsSync(target) && readFileSync(target).subarray(-section.length).equals(section);
if (!isUpToDate) {
  const started = performance.now();
  const { default: asc } = await import('assemblyscript/asc');
  const draft = join(root, `kernel.${process.pid}.wasm`);
  const { error, stderr } = await asc.main([join('assembly', 'index.ts'), '--baseDir', root, '-o', draft, ...flags, ...memory]);
  if (error) {
    console.error(`${stderr.toString()}\nkernel.wasm could not be built: ${error.message}`);
    process.exit(1);
  }
  writeFileSync(draft, Buffer.concat([readFileSync(draft), section]));
  // Whoever loads the kernel at this moment sees the old module or the new one, never half of one.
  renameSync(draft, target);
  console.log(`kernel.wasm built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** A custom section of the binary format: id 0, size, length of the name, name, content; all short enough for one-byte sizes. */
function customSection(name, content) {
  return Buffer.concat([Buffer.from([0, 1 + name.length + content.length, name.length]), Buffer.from(name), content]);
}
