/** Where time comes from. Below a server's `main.ts` nothing else reads it, so that a test can move it. */
export type Clock = {
  /** Wall time in milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds, for durations: it goes on evenly when wall time is set, and is the same on all threads of a process. */
  readonly monotonicMs: () => number;
};

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: sharedMonotonicMs(),
};

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

/** A clock that stands still until it is moved. */
export function manualClock(startMs = 0): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
