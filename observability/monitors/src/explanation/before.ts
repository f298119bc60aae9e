// SPDX-License-Identifier: Apache-2.0
/** What the scan before measured: the latest value that teaches. */
import type { SeriesKey } from '../evaluation/evaluation.ts';
import { learned, type ScanSeries } from '../evaluation/scan-series.ts';

export function valueBefore(series: SeriesKey, scan: ScanSeries): number | null {
  return learned(scan.historyOf(series)).at(-1) ?? null;
}
