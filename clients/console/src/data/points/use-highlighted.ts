import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../services/services.tsx';
import { litPoints } from './highlighted-points.ts';

/** The points that a scan of the collection found fault with, as the observability service keeps them; members of the tenant may know them. */
export function useLit(jobId: string | undefined) {
  const { observability, memberState } = useServices();
  const isMember = memberState.kind === 'in';
  const samples = useQuery({
    queryKey: ['observability', 'samples', jobId],
    queryFn: ({ signal }) => observability.listSamples({ job_id: jobId ?? '' }, { signal }),
    enabled: jobId !== undefined && isMember,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const points = useMemo(() => litPoints(samples.data ?? []), [samples.data]);
  return {
    points,
    error: samples.error,
    needsSignIn: jobId !== undefined && memberState.kind === 'out',
    isPending: jobId !== undefined && (memberState.kind === 'resuming' || (isMember && samples.isPending)),
  };
}
