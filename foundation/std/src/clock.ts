// SPDX-License-Identifier: Apache-2.0
/** Where time comes from. Below a server's `main.ts` nothing else reads it, so that a test can move it. */
export type Clock = {
  /** Wall time in milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds, for durations: it goes on evenly when wall time is set, and is the same on all threads of a process. */
  readonly monotonicMs: () => number;
  /** Runs `action` once, after `ms` milliseconds. */
  readonly after: (ms: number, action: () => void) => Timer;
  /** Runs `action` every `ms` milliseconds. */
  readonly every: (ms: number, action: () => void) => Timer;
};

export type Timer = {
  /** What has not run yet does not run any more. */
  readonly cancel: () => void;
  /** The process may end although the timer waits. */
  readonly unref: () => Timer;
};

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: sharedMonotonicMs(),
  after(ms, action) {
    const timeout = setTimeout(action, ms);
    return timerOf(timeout, () => clearTimeout(timeout));
  },
  every(ms, action) {
    const interval = setInterval(action, ms);
    return timerOf(interval, () => clearInterval(interval));
  },
};

/** Resolves after `ms` milliseconds. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

/** A timer of a browser is a number, and a page ends whatever waits. */
function timerOf(handle: number | { readonly unref: () => void }, cancel: () => void): Timer {
  const timer: Timer = {
    cancel,
    unref() {
      if (typeof handle === 'object') handle.unref();
      return timer;
    },
  };
  return timer;
}

/** `performance.now()` counts from the start of its own thread; the time of the system is shared, and browsers do not give it. */
function sharedMonotonicMs(): () => number {
  const { process } = globalThis as { readonly process?: { readonly hrtime?: NodeJS.HRTime } };
  const hrtime = process?.hrtime;
  if (hrtime === undefined) return () => performance.now();
  return () => {
    const [seconds, nanoseconds] = hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  };
}

type Waiting = { readonly action: () => void; readonly everyMs: number | undefined; atMs: number };

/** A clock that stands still until it is moved. Timers run while it moves, in the order of their times, each at its own. */
export function manualClock(startMs = 0): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  const waiting = new Set<Waiting>();
  const add = (entry: Waiting): Timer => {
    waiting.add(entry);
    const timer: Timer = { cancel: () => void waiting.delete(entry), unref: () => timer };
    return timer;
  };
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    after: (ms, action) => add({ action, everyMs: undefined, atMs: nowMs + ms }),
    every: (ms, action) => add({ action, everyMs: ms, atMs: nowMs + ms }),
    advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = [...waiting].filter(({ atMs }) => atMs <= endMs).toSorted((one, other) => one.atMs - other.atMs);
        if (next === undefined) break;
        nowMs = Math.max(nowMs, next.atMs);
        if (next.everyMs === undefined) waiting.delete(next);
        else next.atMs += Math.max(1, next.everyMs);
        next.action();
      }
      nowMs = endMs;
    },
  };
}
