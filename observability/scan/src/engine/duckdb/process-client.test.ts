// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { ProcessClient } from './process-client.ts';

/** In which a process that has started refuses a statement. */
const ANSWERED_MS = 500;
const PARENT = fileURLToPath(new URL('../../testing/endless-statement.ts', import.meta.url));

test.skipIf(process.platform !== 'linux')('a service that is killed takes the statement of its scan with it', async () => {
  await using directory = await temporaryDirectory();
  const parent = spawn(process.execPath, ['--no-warnings', PARENT, directory.path], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(parent.stdout, 'data');
  const children = (await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')).trim().split(' ').map(Number);
  expect(children).toHaveLength(1);
  parent.kill('SIGKILL');
  for (const child of children) while (isRunning(child)) await sleep(20);
});

test('an answer that was on its way when the scan was cancelled harms nobody', async () => {
  await using directory = await temporaryDirectory();
  const cancelled = new AbortController();
  await using client = new ProcessClient({ directory: directory.path, signal: cancelled.signal, onProgress: () => undefined });
  const request = { kind: 'parse', sql: 'SELECT 1' } as const;
  await expect(client.call(request)).rejects.toThrow('the asset is opened first');
  const answer = client.call(request);
  // This thread reads nothing meanwhile, and cancels before it does.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ANSWERED_MS);
  cancelled.abort(new Error('cancelled'));
  await expect(answer).rejects.toThrow('cancelled');
});

/** One that has ended may wait for a new parent to note it. */
function isRunning(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status.slice(status.lastIndexOf(')') + 2).at(0) !== 'Z';
  } catch {
    return false;
  }
}
