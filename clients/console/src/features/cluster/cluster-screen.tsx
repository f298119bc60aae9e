// SPDX-License-Identifier: Apache-2.0
import { Alert, Skeleton, Stack, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { clusterStatus, collectionShards, type EnabledCluster } from '../../data/cluster/queries.ts';
import { reshardingOf } from '../../data/cluster/resharding-rows.ts';
import { isInShards, nodeRows } from '../../data/cluster/shard-rows.ts';
import { collectionNames } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Page } from '../../ui/page.tsx';
import { NodeTable } from './node-table.tsx';
import { ReshardingPanel } from './resharding-panel.tsx';
import { ShardTable } from './shard-table.tsx';

/** Which nodes serve the collections, how far each is, and where the shards are. */
export function ClusterScreen() {
  const { vector } = useServices();
  const status = useQuery(clusterStatus(vector));
  return (
    <Page title="Cluster">
      {status.isPending && <Skeleton height={160} />}
      {status.isError && <ErrorPanel error={status.error} doing="read the cluster" onRetry={() => void status.refetch()} />}
      {status.data?.status === 'disabled' && (
        <EmptyState title="This service is a single node">
          It serves its collections alone. To run several nodes, set SERVICE_CLUSTER_LOG to the address of a log that they share.
        </EmptyState>
      )}
      {status.data?.status === 'enabled' && <Nodes cluster={status.data} />}
    </Page>
  );
}

function Nodes({ cluster }: { readonly cluster: EnabledCluster }) {
  const { vector } = useServices();
  const names = useQuery(collectionNames(vector));
  const infos = useQueries({ queries: (names.data ?? []).map((name) => collectionShards(vector, name)) });
  const nodes = nodeRows(cluster);
  const failed = [names, ...infos].find(({ isError }) => isError);
  const known = (names.data ?? []).flatMap((name, at) => {
    const info = infos[at]?.data;
    return info === undefined ? [] : [{ name, info }];
  });
  const sharded = known.filter(({ info }) => isInShards(info));
  const log = cluster.consensus_thread_status;
  return (
    <Stack gap="lg">
      {log.consensus_thread_status !== 'working' && (
        <Alert color="red" title="This node cannot follow the log">
          {log.err}
        </Alert>
      )}
      <NodeTable nodes={nodes} shards={sharded.map(({ info }) => info)} />
      {failed?.error != null && <ErrorPanel error={failed.error} doing="list the shards" onRetry={() => void failed.refetch()} />}
      {names.data !== undefined && known.length === names.data.length && (
        <Dimmed>
          {countText(known.length - sharded.length)} of {countText(known.length)} collections are not sharded; every node holds a full copy.
        </Dimmed>
      )}
      {sharded.map(({ name, info }) => {
        const resharding = reshardingOf(info, nodes);
        return (
          <section key={name} aria-label={`Shards of ${name}`}>
            <Title order={2} size="h5" mb="xs">
              {name}
            </Title>
            <ShardTable name={name} info={info} nodes={nodes} />
            {resharding !== undefined && <ReshardingPanel name={name} resharding={resharding} />}
          </section>
        );
      })}
    </Stack>
  );
}
