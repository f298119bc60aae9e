// SPDX-License-Identifier: Apache-2.0
/** A value of this asset as a ratio to the newest of the same series of an asset that feeds it. */
import type { SeriesPoint } from '../bands/band.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';
import { type MetricTraits, type Side, traitsOf } from './metric-traits.ts';
import type { Measured, ScanSeries } from './scan-series.ts';
import { ratioTolerance } from './tolerance.ts';
import type { Watched } from './watched.ts';

type Parent = EvaluationRequest['parents'][number];

export function watchedRatios(
  measured: readonly Measured[],
  { scan, parents, side }: { readonly scan: ScanSeries; readonly parents: readonly Parent[]; readonly side: Side },
): readonly Watched[] {
  return parents.flatMap((parent) =>
    measured.flatMap(({ series, value }): Watched[] => {
      const theirs = parent.historyOf(series);
      const newest = valueAt(theirs, scan.timeMs);
      return newest === undefined
        ? []
        : [watchedRatio(series, { value: ratio(value, newest), history: ratios(scan.historyOf(series), theirs), side, parent })];
    }),
  );
}

type Ratio = { readonly value: number | null; readonly history: readonly SeriesPoint[]; readonly side: Side; readonly parent: Parent };

function watchedRatio(series: SeriesKey, { value, history, side, parent }: Ratio): Watched {
  const { words, isOfAsset } = traitsOf(series.metric_name, series.metric_aggregation);
  const traits: MetricTraits = { side, range: { minimum: 0, isCount: false }, unit: 'percent', words: `ratio of ${words}`, isOfAsset };
  return {
    series,
    value,
    history,
    traits,
    tolerance: ratioTolerance,
    origin: 'ratio',
    parent: { asset_id: parent.asset_id, name: parent.name },
  };
}

function ratios(own: readonly SeriesPoint[], theirs: readonly SeriesPoint[]): readonly SeriesPoint[] {
  return own.flatMap(({ value, ...point }) => {
    const other = valueAt(theirs, point.timeMs);
    return other === undefined ? [] : [{ ...point, value: ratio(value, other) }];
  });
}

/** In percent. */
function ratio(own: number | null, theirs: number): number | null {
  return own === null || theirs === 0 ? null : (100 * own) / theirs;
}

/** The newest value that there was at a time, excluded ones apart. */
function valueAt(points: readonly SeriesPoint[], timeMs: number): number | undefined {
  const point = points.findLast((candidate) => candidate.timeMs <= timeMs && candidate.value !== null && !candidate.isExcluded);
  return point?.value ?? undefined;
}
