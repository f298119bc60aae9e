// SPDX-License-Identifier: Apache-2.0
/** Points that lack payload members which most points have. A member is known from the first point that has it on; those before it lacked it too. */
import type { VectorPoint } from '@sextant/observability-connectors';
import { isFilled, MAX_MEMBERS } from './payload-statistics.ts';

/** Members that fewer points have are optional. */
const SHARE_MIN = 0.5;

/** A point that may be reported; its vectors would only take memory. */
export type NotedPoint = Pick<VectorPoint, 'id' | 'payload'>;

export function missingMembers(limit: number) {
  const first: NotedPoint[] = [];
  const lacking = new Map<string, NotedPoint[]>();
  /** Members of which more points are to be found. */
  const open = new Set<string>();
  return {
    add: (point: NotedPoint): void => {
      const { payload } = point;
      for (const member of Object.keys(payload)) {
        if (lacking.has(member) || lacking.size >= MAX_MEMBERS) continue;
        lacking.set(member, [...first]);
        if (first.length < limit) open.add(member);
      }
      for (const member of open) {
        if (Object.hasOwn(payload, member) && isFilled(payload[member])) continue;
        const points = lacking.get(member);
        points?.push(point);
        if ((points?.length ?? 0) >= limit) open.delete(member);
      }
      if (first.length < limit) first.push(point);
    },
    samples: (shares: ReadonlyMap<string, number>): readonly { readonly member: string; readonly point: NotedPoint }[] =>
      [...lacking].flatMap(([member, points]) => ((shares.get(member) ?? 0) < SHARE_MIN ? [] : points.map((point) => ({ member, point })))),
  };
}
