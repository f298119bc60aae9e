// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Asset, Monitor } from '@sextant/sdk';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assetDetail } from '../../data/assets/queries.ts';
import { isPrebuilt, monitorDetail, refreshMonitors } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { Moment } from '../../ui/time.tsx';
import { MonitorEditor } from './monitor-editor.tsx';
import { formOf } from './monitor-form.ts';
import { OfAsset } from './new-monitor-screen.tsx';

const route = getRouteApi('/members/assets/$projectId/$assetId/monitors/$monitorId');

/** One monitor of an asset: what it watches, what it would have said, and its end. */
export function MonitorScreen() {
  const { projectId, assetId, monitorId } = route.useParams();
  const { observability } = useServices();
  const asset = useQuery(assetDetail(observability, projectId, assetId));
  // What is written is not overwritten by what another person saves meanwhile: it is read when the screen opens.
  const monitor = useQuery({ ...monitorDetail(observability, assetId, monitorId), refetchOnWindowFocus: false });
  const failed = [asset, monitor].find(({ isError }) => isError);
  if (failed !== undefined) {
    return (
      <Page title="Monitor">
        <ErrorPanel error={failed.error} doing="read the monitor" onRetry={() => void failed.refetch()} />
      </Page>
    );
  }
  if (asset.data === undefined || monitor.data === undefined) return <Skeleton height={320} />;
  return <OneMonitor key={monitorId} asset={asset.data} monitor={monitor.data} />;
}

function OneMonitor({ asset, monitor }: { readonly asset: Asset; readonly monitor: Monitor }) {
  const { observability } = useServices();
  const navigate = route.useNavigate();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const place = { projectId: String(asset.project_id), assetId: asset.id };
  const leave = () => void navigate({ to: '/assets/$projectId/$assetId', params: place, search: { tab: 'monitors' } });
  return (
    <Page
      title={monitor.name}
      beside={
        <>
          {!monitor.enabled && <Badge variant="default">off</Badge>}
          <OfAsset name={asset.name} {...place} />
        </>
      }
      actions={
        !isPrebuilt(monitor) && (
          <Button variant="default" leftSection={<IconTrash size={14} />} onClick={open}>
            Delete
          </Button>
        )
      }
    >
      <Dimmed size="xs">
        {isPrebuilt(monitor) && 'Every asset has this monitor. It can be changed and switched off, but not deleted. '}
        Changed by {monitor.modified_by}, <Moment at={monitor.modified_at} />
      </Dimmed>
      <MonitorEditor asset={asset} initial={formOf(monitor)} stored={monitor} onSaved={leave} onCancel={leave} />
      {isDeleting && (
        <Confirm
          title={`Delete ${monitor.name}?`}
          verb="Delete"
          doing="delete the monitor"
          act={async () => {
            await observability.deleteMonitor({ asset_id: asset.id, monitor_id: monitor.id });
            leave();
            await refreshMonitors(asset.id);
          }}
          onClose={close}
        >
          The alerts of the monitor are deleted, and its open incident is closed. Its incidents can still be read.
        </Confirm>
      )}
    </Page>
  );
}
