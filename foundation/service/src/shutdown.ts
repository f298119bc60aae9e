// SPDX-License-Identifier: Apache-2.0
/**
 * A service ends in order: the first signal lets it finish what it began, a second one or the deadline ends it at once. Whatever it has
 * acknowledged is on disk by then, so ending at once loses only what was not acknowledged to anybody.
 */
import type { Clock } from '@sextant/foundation-std';
import type { Log } from './log.ts';
import { integer, type Setting } from './setting.ts';

/** What a process offers for this; `process` is one. */
export type SignalSource = {
  on(signal: ShutdownSignal, listener: () => void): unknown;
  exit(code: number): void;
};

type ShutdownSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

export type Shutdown = {
  /** Finishes what was begun. */
  readonly drain: () => Promise<void>;
  readonly deadlineSeconds: number;
  readonly clock: Clock;
  /** What `drain` waits for at the moment, to follow "still running: ". */
  readonly unfinished: () => string;
  readonly log: Pick<Log, 'info' | 'warn' | 'error' | 'fatal'>;
};

/** The deadline of both services, each under a name of its own. */
export function shutdownSeconds(name: string): Setting<number> {
  return integer({
    name,
    meaning: 'Time after SIGTERM for requests and jobs to finish, in seconds; then they are aborted, and the process ends with exit code 1',
    fallback: 30,
    min: 1,
    max: 86_400,
  });
}

/**
 * Drains on the first SIGTERM, SIGINT or SIGHUP, or when the returned function is called. Exits with 0 when that is done. The exit code is 1
 * when it fails, when another signal comes or when the time is over, so that a supervisor can tell an end in order from one that cut something.
 *
 * A terminal that closes may send SIGHUP several times, so that signal never counts as the second one.
 */
export function drainOnSignals(
  source: SignalSource,
  { drain, deadlineSeconds, clock, unfinished, log }: Shutdown,
): (reason: string) => void {
  let draining = false;
  const begin = (reason: string) => {
    if (draining) return;
    draining = true;
    log.info({ reason }, 'stopping');
    const deadline = clock.after(deadlineSeconds * 1000, () => {
      log.error({ seconds: deadlineSeconds }, `stopped at the deadline; still running: ${unfinished()}`);
      source.exit(1);
    });
    drain().then(
      () => {
        deadline.cancel();
        log.info('stopped');
        source.exit(0);
      },
      (error: unknown) => {
        deadline.cancel();
        log.fatal({ err: error }, 'the service could not stop cleanly');
        source.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    source.on(signal, () => {
      if (!draining) return begin(signal);
      log.warn(`stopped by a second signal; still running: ${unfinished()}`);
      source.exit(1);
    });
  }
  source.on('SIGHUP', () => begin('SIGHUP'));
  return begin;
}

/** Names what is waited for. */
export class Pending {
  readonly #names = new Set<string>();

  get names(): string {
    return [...this.#names].join(', ') || 'nothing';
  }

  async until<Result>(name: string, work: Promise<Result>): Promise<Result> {
    this.#names.add(name);
    try {
      return await work;
    } finally {
      this.#names.delete(name);
    }
  }
}
