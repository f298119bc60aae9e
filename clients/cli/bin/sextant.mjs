#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
/**
 * Starts the program on the Node that this repository pins. `npm exec -- sextant` runs on it already; called by its path, or from a shell's PATH, it may be met by
 * one that cannot run TypeScript, so this file is plain JavaScript.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const runtime = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));

if (!existsSync(runtime) || realpathSync(process.execPath) === realpathSync(runtime)) {
  await import('../src/main.ts');
} else {
  const child = spawn(runtime, [fileURLToPath(new URL('../src/main.ts', import.meta.url)), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; what is sent to this process alone is handed on.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('close', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 1);
  });
}
