// SPDX-License-Identifier: Apache-2.0
/**
 * Loaded before a service, in each of its threads: the one that writes stands still once it has said that it started, until the file is
 * there that `WRITER_HELD_UNTIL` names. No collection is loaded before.
 */
import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const POLL_MS = 5;
const file = process.env.WRITER_HELD_UNTIL;

if (file !== undefined && parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  parentPort.postMessage = (message: { readonly kind?: unknown }) => {
    post(message);
    if (message.kind === 'started') while (!existsSync(file)) Atomics.wait(nobody, 0, 0, POLL_MS);
  };
}
