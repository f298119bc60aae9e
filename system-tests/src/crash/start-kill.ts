// SPDX-License-Identifier: Apache-2.0
/** Kills a service while it starts: before it listens, or between that and the moment at which it is ready. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, systemClock } from '@sextant/foundation-std';
import type { ChildServer } from '@sextant/foundation-testing';
import { startVectorServer, VECTOR_ENTRY, vectorEnvironment } from '../vector-server.ts';

const LISTENING_TO_READY_MS = 60;
/** A start takes longest where there are most threads. */
const ENVIRONMENT = { SERVICE_THREADS: '1' };
const POLL_MS = 2;
/** A start never rests so long. */
const IDLE_MS = 1000;
/** Of the time that a start takes; what comes before is the loading of modules, which touches no data. */
const SHARE_MIN = 0.3;
/** Of a start whose time is not known. */
const FALLBACK_MS = 1000;
const CLOCK_TICK_MS = 10;

/** The progress of a start is measured by the processor time that it has taken, which depends little on what else the machine does. */
export class StartKiller {
  #startMs = FALLBACK_MS;

  /** The service has just become ready. */
  started({ pid }: ChildServer): void {
    this.#startMs = processorMs(pid) ?? FALLBACK_MS;
  }

  async kill(directory: string, random: Random): Promise<void> {
    const share = SHARE_MIN + random.next() * (1 - SHARE_MIN);
    const delayMs = random.integer(LISTENING_TO_READY_MS);
    if (random.integer(3) === 0) await killAfterListening(directory, delayMs);
    else await killBeforeListening(directory, share * this.#startMs);
  }
}

async function killAfterListening(directory: string, delayMs: number): Promise<void> {
  await using server = await startVectorServer({ directory, environment: ENVIRONMENT, until: 'listening' });
  await sleep(delayMs);
  await server.kill();
}

async function killBeforeListening(directory: string, spentMs: number): Promise<void> {
  const child = spawn(process.execPath, [VECTOR_ENTRY], {
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...vectorEnvironment(directory), ...ENVIRONMENT },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const closed = once(child, 'close');
  const beganMs = systemClock.monotonicMs();
  let takenMs = 0;
  let idleSinceMs = beganMs;
  while (child.exitCode === null && takenMs < spentMs) {
    await sleep(POLL_MS);
    const nowMs = systemClock.monotonicMs();
    const taken = processorMs(child.pid ?? 0) ?? nowMs - beganMs;
    if (taken > takenMs) idleSinceMs = nowMs;
    takenMs = taken;
    // This start took less than the one before it, and has long come to its end.
    if (nowMs - idleSinceMs > IDLE_MS) break;
  }
  child.kill('SIGKILL');
  await closed;
}

/** What a process has taken of all processors; undefined where the system does not say. */
function processorMs(pid: number): number | undefined {
  try {
    // The name of the program may hold anything but ends with the last parenthesis; then come the state and 10 numbers before the two times.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
  } catch {
    return undefined;
  }
}
