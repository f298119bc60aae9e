// SPDX-License-Identifier: Apache-2.0
/** Whose rows are missing, or came on top: the values whose number of rows changed most. */
import type { IncidentEvidence } from '@sextant/contracts-observability';
import { plainSeries, type ScanSeries } from '../evaluation/scan-series.ts';
import { valueBefore } from './before.ts';

export type VolumeEvidence = Extract<IncidentEvidence, { kind: 'VOLUME' }>;
type Part = VolumeEvidence['segments'][number];

/** What the scan found of combinations, those that made most of the change first. */
export type VolumeMove = {
  readonly attribute: null;
  readonly measure: 'VOLUME';
  readonly before: number;
  readonly after: number;
  readonly segments: readonly Part[];
};

const SEGMENTS_MAX = 5;
const FILES_MAX = 10;
/** Share of the change that a value must have. */
const SHARE_MIN = 0.2;

type VolumeChanges = { readonly move?: VolumeMove | undefined; readonly files?: NonNullable<VolumeEvidence['files']> | undefined };

export function volumeEvidence(scan: ScanSeries, { move, files: changed = [] }: VolumeChanges): VolumeEvidence {
  const whole = plainSeries('RECORD_COUNT', 'count', { attribute: null, segment: null });
  const [before, after] = [valueBefore(whole, scan), scan.recordsOf(null)];
  if (before === null) return { kind: 'VOLUME', attribute: null, before, after, segments: [] };
  const change = after - before;
  // Files that changed the other way explain nothing.
  const files = changed.filter((file) => Math.sign((file.after ?? 0) - (file.before ?? 0)) === Math.sign(change)).slice(0, FILES_MAX);
  const singles = changedParts(change, scan);
  // Rows that the scan compared with those of another scan explain another change.
  const combined = move === undefined || move.before !== before || move.after !== after ? [] : move.segments;
  const segments = [...combined, ...singles.filter((single) => !combined.some((one) => isPartOf(single, one)))].slice(0, SEGMENTS_MAX);
  return { kind: 'VOLUME', attribute: null, before, after, segments, ...(files.length === 0 ? {} : { files }) };
}

/** Values that lost (or won) rows as the whole did, those that explain the most first. */
function changedParts(change: number, scan: ScanSeries): readonly Part[] {
  const parts = new Map<string, Part>();
  const add = (part: Part): void => {
    const key = JSON.stringify([part.attribute, part.value]);
    if (!parts.has(key)) parts.set(key, part);
  };
  for (const { series, value } of scan.latelyOf('RECORD_COUNT')) {
    const cut = series.segment?.indexOf('=') ?? -1;
    if (series.segment === null || cut < 1) continue;
    add({
      attribute: series.segment.slice(0, cut),
      value: series.segment.slice(cut + 1),
      before: valueBefore(series, scan) ?? 0,
      after: value ?? 0,
    });
  }
  for (const { series, value } of scan.latelyOf('TOP_VALUE')) {
    if (series.attribute === null || series.segment !== null) continue;
    add({ attribute: series.attribute, value: series.metric_aggregation, before: valueBefore(series, scan) ?? 0, after: value ?? 0 });
  }
  const shareOf = ({ before, after }: Part): number => (change === 0 ? 0 : (after - before) / change);
  // A value that merely followed the whole explains nothing: its share of the rows stayed.
  const total = scan.recordsOf(null);
  const stayed = ({ before, after }: Part): boolean => {
    const wholeBefore = total - change;
    return (
      wholeBefore > 0 && total > 0 && Math.abs(after / total - before / wholeBefore) < 0.1 * Math.max(after / total, before / wholeBefore)
    );
  };
  return [...parts.values()]
    .filter((part) => shareOf(part) >= SHARE_MIN && !stayed(part))
    .toSorted((one, other) => shareOf(other) - shareOf(one));
}

/** Whether the rows of a combination have the value: then they explain what it does. */
function isPartOf({ attribute, value }: Part, { also = [], ...first }: Part): boolean {
  return [first, ...also].some((each) => each.attribute === attribute && each.value === value);
}
