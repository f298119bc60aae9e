// SPDX-License-Identifier: Apache-2.0
/** What every worker thread of the service does alike: it reports to main and stops when main says so. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@sextant/foundation-std';
import type { VectorConfiguration } from '../configuration.ts';
import type { Ports, ThreadCommand, ThreadReport } from './messages.ts';

export function report(message: ThreadReport): void {
  assert(parentPort !== null, 'reports come from a worker thread');
  parentPort.postMessage(message);
}

export type ThreadDuties = {
  readonly stop: () => Promise<void>;
  /** Takes over settings that may change while the thread runs. */
  readonly configure: (configuration: VectorConfiguration) => void;
  /** Of a serving thread: listens and answers the ports. */
  readonly listen?: (ports: Ports) => Promise<Ports>;
};

/** Does what main asks for and says when it is done. A duty that fails ends the thread, and main hears why. */
export function answerMain({ stop, configure, listen }: ThreadDuties): void {
  assert(parentPort !== null, 'commands come to a worker thread');
  const toMain = parentPort;
  const obey = async (command: ThreadCommand) => {
    if (command.kind === 'listen') {
      assert(listen !== undefined, 'only a serving thread listens');
      return report({ kind: 'listening', ports: await listen(command.ports) });
    }
    if (command.kind === 'configure') return configure(command.configuration);
    await stop();
    report({ kind: 'stopped' });
    toMain.close();
  };
  toMain.on('message', (command: ThreadCommand) => void obey(command));
}
