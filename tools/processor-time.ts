// SPDX-License-Identifier: Apache-2.0
/**
 * Runs in every test file: leaves with the file what it took of all processors, with the processes that it started, and those that files share and that go on. The
 * time that passes says less, since two files run at once and whatever else the machine does beside them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a test file. */
    processorSeconds?: number;
  }
}

/** In which the kernel counts the times of a process (USER_HZ of man 5 proc). */
const TICKS_A_SECOND = 100;
/** Where the times of the process and of its ended children stand, after the name of the program. */
const TIMES = { from: 11, to: 15 };

const before = processorSeconds();

/* oxlint-disable no-empty-pattern */

// No suite is around the hook, so that its task is the file.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the first parameter which fixtures a hook wants, and takes nothing but a pattern.
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSeconds() - before;
});

/** Where the system does not say what children took, what this process took alone. */
function processorSeconds(): number {
  try {
    return ticksOf('self') / TICKS_A_SECOND;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

/** Of a process with its children, those that have ended and those that have not. */
function ticksOf(pid: string): number {
  // The name may hold anything but ends with the last parenthesis.
  const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const own = fields.split(' ').slice(TIMES.from, TIMES.to).map(Number);
  return [...own, ...childrenOf(pid).map(ticksOfLiving)].reduce((sum, each) => sum + each, 0);
}

function ticksOfLiving(pid: string): number {
  try {
    return ticksOf(pid);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function childrenOf(pid: string): readonly string[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, 'utf8')
      .split(' ')
      .filter((each) => each !== ''),
  );
}
