// SPDX-License-Identifier: Apache-2.0
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assetDetail } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MonitorEditor } from './monitor-editor.tsx';
import { formOfStart } from './new-monitor.ts';

const route = getRouteApi('/members/assets/$projectId/$assetId/monitors/new');

export function NewMonitorScreen() {
  const { projectId, assetId } = route.useParams();
  const start = route.useSearch();
  const { observability } = useServices();
  const navigate = route.useNavigate();
  const asset = useQuery(assetDetail(observability, projectId, assetId));
  const leave = () => void navigate({ to: '/assets/$projectId/$assetId', params: { projectId, assetId }, search: { tab: 'monitors' } });
  return (
    <Page title="New monitor" {...(asset.data !== undefined && { beside: <OfAsset name={asset.data.name} {...{ projectId, assetId }} /> })}>
      {asset.isError && <ErrorPanel error={asset.error} doing="read the asset" onRetry={() => void asset.refetch()} />}
      {asset.isPending && <Skeleton height={320} />}
      {asset.data !== undefined && <MonitorEditor asset={asset.data} initial={formOfStart(start)} onSaved={leave} onCancel={leave} />}
    </Page>
  );
}

/** Which asset the monitor watches, and the way back to it. */
export function OfAsset({ name, projectId, assetId }: { readonly name: string; readonly projectId: string; readonly assetId: string }) {
  return (
    <Dimmed>
      of <TextLink to={`/assets/${projectId}/${assetId}`}>{name}</TextLink>
    </Dimmed>
  );
}
