/** Another program of the machine, that computes without a pause: what a client waits beside it, it waits for a core. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts it; it ends with its scope. */
export function startBusyProgram(): AsyncDisposable {
  const child = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
