// SPDX-License-Identifier: Apache-2.0
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const PRIORITY = new URL('./priority.ts', import.meta.url);
/** A thread of its own, because few processes may raise what they have lowered. */
const THREAD = `
  const { readlinkSync } = require('node:fs');
  const { getPriority } = require('node:os');
  const { parentPort } = require('node:worker_threads');
  import('${PRIORITY}').then(({ stepBack }) => {
    const own = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    const priorities = () => ({ own: getPriority(own), process: getPriority(process.pid) });
    const before = priorities();
    stepBack(3);
    parentPort.postMessage({ before, after: priorities() });
  });
`;

test.runIf(process.platform === 'linux')('a thread steps back alone', async () => {
  const worker = new Worker(THREAD, { eval: true });
  const { before, after } = await new Promise<{ before: Priorities; after: Priorities }>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  expect(after.own).toBe(Math.min(19, before.own + 3));
  expect(after.process).toBe(before.process);
});

type Priorities = { readonly own: number; readonly process: number };
