import { Anchor, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { MonitorList } from '../monitors/monitor-list.tsx';
import { AttributeTable } from './attribute-table.tsx';
import { JobList } from './job-list.tsx';
import { MetricCharts } from './metric-charts.tsx';
import { assetDetail, assetJobs, isRunning, measurements, scoreColour, scores } from './queries.ts';

const route = getRouteApi('/members/assets/$projectId/$assetId');

/** One asset: how it is, what was measured of it over time, and its scans. */
export function AssetScreen() {
  const { projectId, assetId } = route.useParams();
  const { observability } = useServices();
  const queries = useQueryClient();
  const asset = useQuery(assetDetail(observability, projectId, assetId));
  const jobs = useQuery(assetJobs(observability, assetId));
  const history = useQuery(measurements(observability, assetId));
  const score = useQuery(scores(observability)).data?.find((each) => each.asset_id === assetId);
  const scan = useMutation({
    mutationFn: () => observability.startScan({ asset_id: assetId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['observability', 'asset', assetId, 'jobs'] }),
  });
  if (asset.isError) {
    return (
      <Page title="Asset">
        <ErrorPanel error={asset.error} doing="read the asset" onRetry={() => void asset.refetch()} />
      </Page>
    );
  }
  if (asset.data === undefined) return <Skeleton height={320} />;
  const busy = jobs.data?.some(({ status }) => isRunning(status)) === true;
  return (
    <Page
      title={asset.data.name}
      beside={
        <>
          <Badge variant="default">{asset.data.type.toLowerCase().replaceAll('_', ' ')}</Badge>
          {score?.score != null && (
            <Badge variant="dot" color={scoreColour(score)}>
              score {score.score.toFixed(0)}
            </Badge>
          )}
          {asset.data.type === 'VECTOR_COLLECTION' && typeof asset.data.payload.collection === 'string' && (
            <Anchor component={Link} to={`/collections/${encodeURIComponent(asset.data.payload.collection)}?tab=map`} size="sm">
              map of the collection
            </Anchor>
          )}
        </>
      }
      actions={
        <Button leftSection={<IconPlayerPlay size={14} />} loading={scan.isPending} disabled={busy} onClick={() => scan.mutate()}>
          Scan now
        </Button>
      }
    >
      {asset.data.description !== null && <Text size="sm">{asset.data.description}</Text>}
      {scan.isError && <ErrorPanel error={scan.error} doing="start a scan" />}
      <Stack gap="lg">
        <JobList assetId={assetId} />
        {history.isError && <ErrorPanel error={history.error} doing="read what was measured" onRetry={() => void history.refetch()} />}
        {history.data?.length === 0 && (
          <EmptyState title="Nothing measured yet">
            The first scan shows what is in the asset; what is usual is learned from the next ones.
          </EmptyState>
        )}
        {history.data !== undefined && history.data.length > 0 && <MetricCharts history={history.data} />}
        {asset.data.attributes !== undefined && <AttributeTable attributes={asset.data.attributes} history={history.data ?? []} />}
        <MonitorList projectId={projectId} assetId={assetId} />
        <Lineage parents={asset.data.parents ?? []} descendants={asset.data.children ?? []} />
      </Stack>
    </Page>
  );
}

/** Names of the assets beside this one need a look at all; their ids are what the service says here. */
function Lineage({ parents, descendants }: { readonly parents: readonly string[]; readonly descendants: readonly string[] }) {
  const { observability } = useServices();
  const all = useQuery({ queryKey: ['observability', 'assets'], queryFn: ({ signal }) => observability.listAssets({}, { signal }) });
  if (parents.length === 0 && descendants.length === 0) return null;
  const linked = (id: string) => {
    const found = all.data?.find((each) => each.id === id);
    return found === undefined ? (
      <Text key={id} size="sm" ff="monospace">
        {id}
      </Text>
    ) : (
      <Anchor key={id} component={Link} to={`/assets/${found.project_id}/${id}`} size="sm">
        {found.name}
      </Anchor>
    );
  };
  return (
    <section aria-labelledby="lineage">
      <Title order={2} size="h5" mb="xs" id="lineage">
        Lineage
      </Title>
      {parents.length > 0 && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            comes from
          </Text>
          {parents.map(linked)}
        </Group>
      )}
      {descendants.length > 0 && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            goes into
          </Text>
          {descendants.map(linked)}
        </Group>
      )}
    </section>
  );
}
