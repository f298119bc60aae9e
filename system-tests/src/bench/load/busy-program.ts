// SPDX-License-Identifier: Apache-2.0
/** Another program of the machine, that computes without a pause: what a client waits beside it, it waits for a core. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** It has no turn to hear of anything, so it looks whether it has another parent by now. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);';

/** Starts it; it ends with its scope, and with this process. */
export function startBusyProgram(): AsyncDisposable {
  const child = spawn(process.execPath, ['--eval', BUSY], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
