// SPDX-License-Identifier: Apache-2.0
/** What answers searches and can say what that cost it. */
import type { Target } from '../load/http-load.ts';

export type OverheadSubject = AsyncDisposable & {
  readonly name: string;
  /** Where searches of the vectors of this position go. */
  target(position: number, withPayload: boolean): Target;
  /** CPU time of its process so far, user and system. */
  cpuMicroseconds(): Promise<number>;
};
