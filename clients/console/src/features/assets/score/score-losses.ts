// SPDX-License-Identifier: Apache-2.0
/** What the parts of a score have lost, in points of the score. */
import type { CurrentScore } from '@sextant/sdk';

type Part = CurrentScore['parts'][number];
type Source = Part['measured_from'];

export type MetricLoss = Source['metrics'][number] & { readonly points: number };
export type IncidentLoss = NonNullable<Source['incidents']>[number] & { readonly points: number };

export type PartLosses = {
  readonly part: Part;
  /** All that the part lost. */
  readonly points: number;
  /** Those that lost something, the most first. */
  readonly metrics: readonly MetricLoss[];
  readonly incidents: readonly IncidentLoss[];
  /** Incidents about freshness take the whole part, whichever of them is closed first. */
  readonly lateIds: readonly number[];
};

export function partLosses(part: Part): PartLosses {
  const { metrics, incidents, incident_ids: ids } = part.measured_from;
  const inScore = <Item extends { readonly lost?: number | undefined }>(item: Item) => ({
    ...item,
    points: (item.lost ?? 0) * part.weight,
  });
  const worstFirst = (one: { readonly points: number }, other: { readonly points: number }) => other.points - one.points;
  return {
    part,
    points: part.weight * (100 - (part.value ?? 100)),
    metrics: metrics
      .map(inScore)
      .filter(({ points }) => points > 0)
      .toSorted(worstFirst),
    incidents: (incidents ?? []).map(inScore).toSorted(worstFirst),
    lateIds: part.dimension === 'timeliness' ? ids : [],
  };
}
