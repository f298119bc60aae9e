/** Where time comes from. Below a server's `main.ts` nothing else reads it, so that a test can move it. */
export type Clock = {
  /** Wall time in milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds, for durations. */
  readonly monotonicMs: () => number;
};

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

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
