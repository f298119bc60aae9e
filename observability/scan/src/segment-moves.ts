// SPDX-License-Identifier: Apache-2.0
/**
 * Which rows made a share of filled values, or a mean, what it is now. The whole is the sum of what its groups add to it: with w the share of a group in the
 * rows and m its mean, M1 - M0 = sum of w1 (m1 - M0) - w0 (m0 - M0), since the last terms of all groups add up to nothing. A group so adds what its own
 * rows changed, and what it changed by growing or shrinking.
 */
import type { MovedSegment } from '@sextant/contracts-observability';
import { LIFT_MIN } from './combinations.ts';
import { combinedMove, combinedVolume } from './combined-moves.ts';
import type { ColumnMove, SegmentMove, SegmentProfile } from './scan.ts';
import { MEASURES, type Measure, meanOf, sumOf } from './segment-measures.ts';

/** Of one column; and the share of the change that a value has at least, by itself. */
const SEGMENTS_MAX = 3;
const SHARE_MIN = 0.3;

type Group = SegmentProfile['groups'][number];

/**
 * Of columns that both profiles have, with the values and combinations that explain the most first; columns that none explains are left out. Of the number of
 * rows, where combinations explain it.
 */
export function segmentMoves(before: SegmentProfile, after: SegmentProfile): readonly SegmentMove[] {
  const cubes = cubesOf({ before, after });
  const volume = cubes === undefined ? undefined : combinedVolume(cubes);
  return [...(volume === undefined ? [] : [volume]), ...columnMoves(before, after)];
}

function columnMoves(before: SegmentProfile, after: SegmentProfile): readonly ColumnMove[] {
  return after.attributes.flatMap((attribute, newIndex) => {
    const oldIndex = before.attributes.indexOf(attribute);
    if (oldIndex === -1) return [];
    return MEASURES.flatMap((measure) => moveOf(attribute, measure, { before, after, oldIndex, newIndex }) ?? []);
  });
}

function cubesOf({ before: { cube: before }, after: { cube: after } }: Pick<Profiles, 'before' | 'after'>) {
  return before === undefined || after === undefined ? undefined : { before, after };
}

type Profiles = { readonly before: SegmentProfile; readonly after: SegmentProfile; readonly oldIndex: number; readonly newIndex: number };

function moveOf(attribute: string, measure: Measure, profiles: Profiles): ColumnMove | undefined {
  const { name, partOf, isNews } = measure;
  const { before, after, oldIndex, newIndex } = profiles;
  const cubes = cubesOf(profiles);
  const combined = cubes === undefined ? undefined : combinedMove(attribute, measure, cubes);
  // That the values of a column went with the rows that have them explains nothing.
  const grouped = [...new Set(after.groups.map((group) => group.attribute))].filter((one) => one !== attribute);
  let whole: Pick<ColumnMove, 'before' | 'after'> | undefined = combined && { before: combined.before, after: combined.after };
  const segments: MovedSegment[] = [...(combined?.segments ?? [])];
  for (const by of grouped) {
    const parts = (groups: readonly Group[], index: number) =>
      groups.flatMap((group) => {
        const part = group.attribute === by ? partOf(group, index) : undefined;
        return part === undefined ? [] : [{ group, ...part }];
      });
    const [old, current] = [parts(before.groups, oldIndex), parts(after.groups, newIndex)];
    const [M0, M1] = [meanOf(sumOf(old)), meanOf(sumOf(current))];
    // A group without a sum, or a column that was not grouped by before, leaves the change without its parts.
    const isWhole = current.length === after.groups.filter((group) => group.attribute === by).length;
    if (M0 === undefined || M1 === undefined || !isWhole || !isNews(M0, M1)) continue;
    whole = { before: M0, after: M1 };
    const total = { old: sumOf(old).weight, current: sumOf(current).weight };
    for (const value of new Set([...current, ...old].map(({ group }) => group.value))) {
      const [was, is] = [old, current].map((all) => all.find(({ group }) => group.value === value));
      const w0 = (was?.weight ?? 0) / total.old;
      const w1 = (is?.weight ?? 0) / total.current;
      const [m0, m1] = [was && meanOf(was), is && meanOf(is)];
      const share = (w1 * ((m1 ?? M0) - M0) - w0 * ((m0 ?? M0) - M0)) / (M1 - M0);
      if (share < SHARE_MIN || share < LIFT_MIN * Math.max(w0, w1) || combined?.explains(by, value) === true) continue;
      segments.push({
        attribute: by,
        value,
        rows_before: was?.group.rows ?? 0,
        rows_after: is?.group.rows ?? 0,
        before: m0 ?? null,
        after: m1 ?? null,
        share,
      });
    }
  }
  if (whole === undefined || segments.length === 0) return undefined;
  return { attribute, measure: name, ...whole, segments: segments.toSorted(strongerFirst).slice(0, SEGMENTS_MAX) };
}

/** Of columns that say the same, the value with the fewer rows. */
function strongerFirst(one: MovedSegment, other: MovedSegment): number {
  return other.share - one.share || one.rows_after - other.rows_after || (one.attribute < other.attribute ? -1 : 1);
}
