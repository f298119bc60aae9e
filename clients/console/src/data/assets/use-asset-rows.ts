/** All assets joined with what is known of them, kept fresh. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useServices } from '../services/services.tsx';
import { type AssetRow, assetRows } from './asset-rows.ts';
import { assetList, connectionList, isRunning, lastJobs, openIncidents, projectList, scores } from './queries.ts';

type AssetRows = {
  /** Undefined until the assets are there; what is known of them may come later. */
  readonly rows: readonly AssetRow[] | undefined;
  /** Whether their open incidents are known, or cannot be. */
  readonly isHealthKnown: boolean;
  readonly nowMs: number;
  readonly error: unknown;
  readonly retry: () => void;
};

export function useAssetRows(): AssetRows {
  const { observability } = useServices();
  const queries = useQueryClient();
  const assets = useQuery(assetList(observability));
  // Ages are told as of the reading, which is repeated twice a minute.
  const nowMs = assets.dataUpdatedAt;
  const projects = useQuery(projectList(observability)).data;
  const connections = useQuery(connectionList(observability)).data;
  const scored = useQuery(scores(observability)).data;
  const { data: incidents, isPending: isHealthPending } = useQuery(openIncidents(observability));
  const jobs = useQuery(lastJobs(observability)).data;
  const runningCount = jobs?.filter(({ status }) => isRunning(status)).length ?? 0;
  const before = useRef(runningCount);
  useEffect(() => {
    if (runningCount < before.current) {
      void queries.invalidateQueries({ queryKey: ['observability', 'scores'] });
      void queries.invalidateQueries({ queryKey: ['observability', 'incidents'] });
    }
    before.current = runningCount;
  }, [runningCount, queries]);
  const rows = useMemo(
    () =>
      assets.data === undefined
        ? undefined
        : assetRows({ assets: assets.data, projects, connections, scores: scored, incidents, jobs }, nowMs),
    [assets.data, projects, connections, scored, incidents, jobs, nowMs],
  );
  return { rows, isHealthKnown: !isHealthPending, nowMs, error: assets.error, retry: () => void assets.refetch() };
}
