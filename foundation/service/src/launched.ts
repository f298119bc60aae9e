// SPDX-License-Identifier: Apache-2.0
/**
 * A process that was launched ends with its launcher, however that ends. SIGKILL and a crash leave the launcher no time to pass anything on, so the
 * process itself watches:
 *
 * - a launcher of ours starts it with an IPC channel (`'ipc'` in the `stdio` of `spawn`), which the system closes with the launcher;
 * - npm leaves no channel. It runs a script by way of a shell, and ends that shell alone when it gets SIGTERM. So the processes above are looked at
 *   every now and then: one that has gone leaves its children to another parent.
 *
 * What was started in any other way may outlive its parent, as with `nohup`, `setsid` or a service manager.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '@sextant/foundation-std';

const POLL_MS = 500;

/** Calls `listener` once, with the reason, when whoever launched this process has ended. */
export function onLauncherEnd(listener: (reason: string) => void, clock: Clock): void {
  if (process.channel !== undefined) {
    process.once('disconnect', () => listener('the launcher has ended'));
    // Listening must not keep the process.
    process.channel?.unref();
    // It may have ended before anybody listened.
    if (!process.connected) listener('the launcher has ended');
  } else if (isScriptOfNpm()) {
    watchParents(() => listener('npm has ended'), clock);
  }
}

/** Whatever a script starts has npm's variables too; only the script's own process is meant. */
function isScriptOfNpm(): boolean {
  const words = process.env.npm_lifecycle_script?.split(/\s+/) ?? [];
  return words.some((word) => resolve(word) === process.argv[1]);
}

function watchParents(listener: () => void, clock: Clock): void {
  const parents = scriptParents();
  const timer = clock
    .every(POLL_MS, () => {
      if (scriptParents() === parents) return;
      timer.cancel();
      listener();
    })
    .unref();
}

/** The parent, and the parent of a shell: on Linux; elsewhere the parent has to do. */
function scriptParents(): string {
  const { ppid } = process;
  // Some shells become the command that they are given; then npm is the parent, and its own parent is no matter of ours.
  const shell = process.env.npm_config_script_shell ?? 'sh';
  const status = statusOf(ppid);
  const isShell = /^Name:\s+(.*)$/m.exec(status)?.[1] === shell.split('/').at(-1);
  return isShell ? `${ppid} ${/^PPid:\s+(\d+)$/m.exec(status)?.[1]}` : String(ppid);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Output that nobody reads any more, as after the end of a terminal or of the launcher, is no reason to end without order. */
export function outliveOutput(streams: readonly Pick<NodeJS.WriteStream, 'on'>[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}
