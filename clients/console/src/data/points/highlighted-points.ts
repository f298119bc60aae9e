import type { PointId } from '@sextant/sdk';
import { pointId } from './point-id.ts';

export type LitPoint = { readonly id: PointId; readonly reasons: readonly string[] };

type FoundPoint = { readonly record_id: string | null; readonly reason: string };

/** Each point once, with all that was found. */
export function litPoints(samples: readonly FoundPoint[]): readonly LitPoint[] {
  const reasons = new Map<string, string[]>();
  for (const { record_id, reason } of samples) {
    if (record_id === null) continue;
    const known = reasons.get(record_id);
    if (known === undefined) reasons.set(record_id, [reason]);
    else if (!known.includes(reason)) known.push(reason);
  }
  return [...reasons].map(([id, all]) => ({ id: pointId(id), reasons: all }));
}
