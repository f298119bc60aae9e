/** What every worker thread of the service does alike: it reports to main and stops when main says so. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@sextant/foundation-std';
import type { ThreadCommand, ThreadReport } from './messages.ts';

export function report(message: ThreadReport): void {
  assert(parentPort !== null, 'reports come from a worker thread');
  parentPort.postMessage(message);
}

/** Runs `stop` once main asks for it, says so, and lets the thread end. */
export function answerStop(stop: () => Promise<void>): void {
  assert(parentPort !== null, 'only a worker thread is stopped');
  const port = parentPort;
  port.on('message', (command: ThreadCommand) => {
    if (command.kind === 'stop') void finish();
  });
  const finish = async () => {
    await stop();
    report({ kind: 'stopped' });
    port.close();
  };
}
