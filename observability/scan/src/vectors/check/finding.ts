// SPDX-License-Identifier: Apache-2.0
import type { RowSample } from '@sextant/contracts-observability';

/** `warned`: unusual, and possibly meant; `not_checked` is no pass. */
export type FindingStatus = 'passed' | 'failed' | 'warned' | 'not_checked';

/** What one check came to. */
export type Finding = {
  /** Such as `zero vectors`. */
  readonly check: string;
  /** Name of the vector, empty for the unnamed one; null for what concerns points as a whole. */
  readonly vector: string | null;
  readonly status: FindingStatus;
  /** Points or vectors at fault; null where the check counts none. */
  readonly found: number | null;
  /** Of how many; null where the check counts none. */
  readonly of: number | null;
  /** What it means, or why it could not be checked. */
  readonly detail: string;
};

export type VectorReport = {
  readonly points: number;
  /** By name, the empty one for the unnamed vector. */
  readonly dimensions: { readonly [vector: string]: number };
  readonly findings: readonly Finding[];
  /** Some of the points at fault. */
  readonly samples: readonly RowSample[];
};

export type Counted = { readonly found: number; readonly of: number };

export function finding(check: string, vector: string | null) {
  return {
    /** Passed where nothing was found. */
    counted: ({ found, of }: Counted, detail: string, status: FindingStatus = found > 0 ? 'failed' : 'passed'): Finding =>
      of === 0
        ? { check, vector, status: 'not_checked', found: null, of: 0, detail: 'There is no vector to check.' }
        : { check, vector, status, found, of, detail },
    measured: (isFine: boolean, detail: string): Finding => ({
      check,
      vector,
      status: isFine ? 'passed' : 'failed',
      found: null,
      of: null,
      detail,
    }),
    notChecked: (detail: string): Finding => ({ check, vector, status: 'not_checked', found: null, of: null, detail }),
  };
}
