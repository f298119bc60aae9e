// SPDX-License-Identifier: Apache-2.0
/** Names the source files that do not say their licence, and with `--write` writes the line into them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasHeader, isSource, withHeader } from './spdx-header.ts';

const root = resolve(import.meta.dirname, '../..');
const isWriting = process.argv.includes('--write');
const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });

let missing = 0;
for (const path of tracked.split('\0').filter(isSource)) {
  const file = join(root, path);
  const text = readFileSync(file, 'utf8');
  if (hasHeader(path, text)) continue;
  if (isWriting) {
    writeFileSync(file, withHeader(path, text));
    continue;
  }
  missing++;
  console.log(`${path}:1 does not say its licence; \`node tools/spdx/main.ts --write\` writes the line`);
}
if (missing > 0) process.exitCode = 1;
