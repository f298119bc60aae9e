// SPDX-License-Identifier: Apache-2.0
/**
 * The load of the soak. Capacity is what clients get that each wait for their answers; the load itself is open: requests come when they are due, as people's do,
 * whether or not earlier ones are answered, and a latency counts from when its request was due. So a stall is seen by all that would have come in it
 * (Tene's "coordinated omission").
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, systemClock } from '@sextant/foundation-std';
import type { VectorApi } from '../vector-api.ts';
import { chooseOperation, type Operation } from './operations.ts';

/** Requests that are under way. Beyond it those that are due wait at the client, which counts as their latency: a machine that is slow for a minute is no fault. */
const UNDER_WAY_MAX = 500;
const MESSAGES_MAX = 5;

export type LoadSubject = { readonly vectors: VectorApi; readonly operations: readonly Operation[]; readonly random: Random };

/** Operations a second that so many clients get, each waiting for its answer. */
export async function measureCapacity(
  { vectors, operations, random }: LoadSubject,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<number> {
  const startMs = systemClock.monotonicMs();
  const endMs = startMs + seconds * 1000;
  let done = 0;
  const client = async () => {
    while (systemClock.monotonicMs() < endMs) {
      await chooseOperation(operations, random).run(vectors);
      done++;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1000) / (systemClock.monotonicMs() - startMs);
}

export type Tally = { readonly latenciesMs: readonly number[]; readonly errors: number; readonly messages: readonly string[] };

/** Requests that come at a rate, at random distances. */
export class OpenLoad {
  readonly #subject: LoadSubject;
  readonly #perMs: number;
  readonly #underWayMax: number;
  #latenciesMs: number[] = [];
  #errors = 0;
  #messages: string[] = [];
  #underWay = 0;

  constructor(subject: LoadSubject, perSecond: number, underWayMax = UNDER_WAY_MAX) {
    this.#subject = subject;
    this.#perMs = perSecond / 1000;
    this.#underWayMax = underWayMax;
  }

  /** Sends until the signal says that it is enough, and waits for the last answers. */
  async run(signal: AbortSignal): Promise<void> {
    const { random } = this.#subject;
    let dueMs = systemClock.monotonicMs();
    while (!signal.aborted) {
      const nowMs = systemClock.monotonicMs();
      for (; dueMs <= nowMs && this.#underWay < this.#underWayMax; dueMs += -Math.log(1 - random.next()) / this.#perMs) this.#send(dueMs);
      await sleep(1);
    }
    while (this.#underWay > 0) await sleep(10);
  }

  /** What has come since it was last asked. */
  take(): Tally {
    const tally = { latenciesMs: this.#latenciesMs, errors: this.#errors, messages: this.#messages };
    this.#latenciesMs = [];
    this.#errors = 0;
    this.#messages = [];
    return tally;
  }

  #send(dueMs: number): void {
    const { vectors, operations, random } = this.#subject;
    const { name, run } = chooseOperation(operations, random);
    this.#underWay++;
    run(vectors)
      .then(
        () => this.#latenciesMs.push(systemClock.monotonicMs() - dueMs),
        (error: unknown) => this.#fail(`${name}: ${String(error)}`),
      )
      .finally(() => this.#underWay--);
  }

  #fail(message: string): void {
    this.#errors++;
    if (this.#messages.length < MESSAGES_MAX) this.#messages.push(message.slice(0, 300));
  }
}
