// SPDX-License-Identifier: Apache-2.0
/** All assets joined with what is known of them, kept fresh. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { connectionList } from '../connections.ts';
import { openIncidents, refreshIncidents } from '../incidents/queries.ts';
import { lastJobs, useScanEnd } from '../jobs.ts';
import { refreshScores, scores } from '../scores.ts';
import { useServices } from '../services/services.ts';
import { type AssetRow, assetRows } from './asset-rows.ts';
import { assetList, projectList } from './queries.ts';

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
  const assets = useQuery(assetList(observability));
  // Ages are as of the last reading, which is repeated twice a minute.
  const nowMs = assets.dataUpdatedAt;
  const projects = useQuery(projectList(observability)).data;
  const connections = useQuery(connectionList(observability)).data;
  const scored = useQuery(scores(observability)).data;
  const { data: incidents, isPending: isHealthPending } = useQuery(openIncidents(observability));
  const jobs = useQuery(lastJobs(observability)).data;
  useScanEnd(jobs, () => {
    void refreshScores();
    void refreshIncidents();
  });
  const rows = useMemo(
    () =>
      assets.data === undefined
        ? undefined
        : assetRows({ assets: assets.data, projects, connections, scores: scored, incidents, jobs }, nowMs),
    [assets.data, projects, connections, scored, incidents, jobs, nowMs],
  );
  return { rows, isHealthKnown: !isHealthPending, nowMs, error: assets.error, retry: () => void assets.refetch() };
}
