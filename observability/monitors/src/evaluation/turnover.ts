// SPDX-License-Identifier: Apache-2.0
/**
 * Whether new frequent values are what an attribute always brings: a table of the last seven days has another newest day at each delivery,
 * a batch number is never the same. Of such an attribute it says nothing that a frequent value is new.
 */
import { learnedPoints, type Measured, type ScanSeries } from './scan-series.ts';

/** Share of the scans at which a value came that no scan before had. */
const USUAL = 0.2;
/** Once is no habit: it may have been a fault. */
const ARRIVALS_MIN = 2;
/** Of the most frequent value; which of the rarer ones are among those that are measured is chance. */
const FREQUENT = 0.5;

/** `measured` are the values of one attribute and segment, those of this scan and of the one before. */
export function turnsOver(measured: readonly Measured[], scan: ScanSeries): boolean {
  const values = measured.map(({ series, value }) => {
    const past = learnedPoints(scan.historyOf(series));
    return { firstMs: past[0]?.timeMs, past, peak: past.reduce((most, point) => Math.max(most, point.value), value ?? 0) };
  });
  const most = values.reduce((peak, value) => Math.max(peak, value.peak), 0);
  const times = new Set(values.flatMap(({ past }) => past.map(({ timeMs }) => timeMs)));
  if (times.size < 2) return false;
  const oldest = times.values().reduce((first, timeMs) => Math.min(first, timeMs));
  const frequent = values.filter(({ peak }) => peak >= FREQUENT * most);
  const arrivals = new Set(frequent.flatMap(({ firstMs }) => (firstMs === undefined || firstMs === oldest ? [] : [firstMs])));
  return arrivals.size >= ARRIVALS_MIN && arrivals.size > USUAL * (times.size - 1);
}
