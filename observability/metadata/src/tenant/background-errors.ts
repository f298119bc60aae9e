import type { BackgroundError } from '@sextant/contracts-observability';

export type BackgroundErrorStore = {
  /** The oldest give way beyond 1,000. */
  readonly append: (error: Omit<BackgroundError, 'timestamp'>) => Promise<void>;
  /** Newest first. */
  readonly list: (limit: number) => Promise<readonly BackgroundError[]>;
};
