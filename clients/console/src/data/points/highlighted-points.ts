// SPDX-License-Identifier: Apache-2.0
/** The points that a scan of a collection found fault with, and the map that highlights them. */
import type { PointId } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../services/services.ts';
import { pointId } from './point-id.ts';

export type HighlightedPoint = { readonly id: PointId; readonly reasons: readonly string[] };

type FoundPoint = { readonly record_id: string | null; readonly reason: string };

/** Each point once, with all that was found. */
export function highlightedPoints(samples: readonly FoundPoint[]): readonly HighlightedPoint[] {
  const reasons = new Map<string, string[]>();
  for (const { record_id, reason } of samples) {
    if (record_id === null) continue;
    const known = reasons.get(record_id);
    if (known === undefined) reasons.set(record_id, [reason]);
    else if (!known.includes(reason)) known.push(reason);
  }
  return [...reasons].map(([id, all]) => ({ id: pointId(id), reasons: all }));
}

/** The points that a scan of the collection found fault with, as the observability service keeps them; members of the tenant may know them. */
export function useHighlightedPoints(jobId: string | undefined) {
  const { observability, memberState } = useServices();
  const isMember = memberState.kind === 'in';
  const samples = useQuery({
    queryKey: ['observability', 'samples', jobId],
    queryFn: ({ signal }) => observability.listSamples({ job_id: jobId ?? '' }, { signal }),
    enabled: jobId !== undefined && isMember,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const points = useMemo(() => highlightedPoints(samples.data ?? []), [samples.data]);
  return {
    points,
    error: samples.error,
    needsSignIn: jobId !== undefined && memberState.kind === 'out',
    isPending: jobId !== undefined && (memberState.kind === 'resuming' || (isMember && samples.isPending)),
  };
}

type HighlightedMap = {
  readonly collection: string;
  /** The scan of the collection as an asset. */
  readonly jobId: string;
};

/** What a `Link` needs to lead to the map of a collection that highlights the points that a scan found fault with. */
export function highlightedMap({ collection, jobId }: HighlightedMap) {
  return { to: '/collections/$name', params: { name: collection }, search: { tab: 'map', highlight: jobId } } as const;
}
