// SPDX-License-Identifier: Apache-2.0
/** What the detectors say. A value is suspected wherever it stands in its column; a cell in one row only. */
import type { CellDetector } from '@sextant/contracts-observability';

export type ValueSuspicion = {
  readonly detector: CellDetector;
  /** Null suspects the empty cells. */
  readonly value: string | null;
  /** Confidence that the value is wrong, between 0 and 1. */
  readonly score: number;
  readonly reason: string;
  readonly repair?: string;
};

export type WrongCell = {
  readonly row: number;
  /** Position of the column, and its name. */
  readonly column: number;
  readonly name: string;
  readonly value: string | null;
  readonly score: number;
  readonly reason: string;
  /** Which detectors agree. */
  readonly detectors: readonly CellDetector[];
  /** The value that should stand there, where one is certain. */
  readonly repair: string | null;
};
