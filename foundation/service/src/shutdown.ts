/** A service ends in order: the first signal lets it finish what it began, the second one ends it at once. */

/** What a process offers for this; `process` is one. */
export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
};

/**
 * Calls `drain` on the first SIGTERM or SIGINT and exits with 0 when it is done, with 1 when it fails or when another signal comes.
 *
 * @param onError hears why draining failed, before the process exits
 */
export function drainOnSignals(source: SignalSource, drain: () => Promise<void>, onError: (error: unknown) => void): void {
  let draining = false;
  const handle = () => {
    if (draining) {
      source.exit(1);
      return;
    }
    draining = true;
    drain().then(
      () => source.exit(0),
      (error: unknown) => {
        onError(error);
        source.exit(1);
      },
    );
  };
  source.on('SIGTERM', handle);
  source.on('SIGINT', handle);
}
