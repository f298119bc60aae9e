// SPDX-License-Identifier: Apache-2.0
import { Button, SimpleGrid, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sparkConfig } from '../../data/configurations.ts';
import { queryClient } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { SettingsPart } from '../../ui/section.tsx';
import { CLUSTERS } from './blocks.ts';
import { ClusterBlock } from './cluster-block.tsx';
import { PropertiesBlock } from './properties-block.tsx';

/** On which clusters data quality jobs run. Its blocks are saved one by one. */
export function SparkScreen() {
  const { observability } = useServices();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const config = useQuery(sparkConfig(observability));
  const isSet = config.data !== undefined && Object.keys(config.data).length > 0;
  return (
    <SettingsPart
      title="Spark jobs"
      purpose="Settings of the clusters that run data quality jobs of the tenant. Each block is saved separately."
      actions={
        isSet && (
          <Button variant="default" color="red" leftSection={<IconTrash size={14} />} onClick={open}>
            Delete everything
          </Button>
        )
      }
    >
      {config.isPending && <Skeleton height={320} />}
      {config.isError && <ErrorPanel error={config.error} doing="read the spark job configuration" onRetry={() => void config.refetch()} />}
      {config.data !== undefined && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          {/* A block that was saved or cleared starts again with what is stored. */}
          <PropertiesBlock key={JSON.stringify(config.data.spark_properties)} stored={config.data.spark_properties} />
          {CLUSTERS.map((cluster) => (
            <ClusterBlock
              key={`${cluster.block} ${JSON.stringify(config.data[cluster.block])}`}
              cluster={cluster}
              stored={config.data[cluster.block]}
            />
          ))}
        </SimpleGrid>
      )}
      {isDeleting && (
        <Confirm
          title="Delete the spark job configuration?"
          verb="Delete everything"
          doing="delete the configuration"
          act={async () => {
            await observability.deleteSparkJobConfig();
            queryClient.setQueryData(sparkConfig(observability).queryKey, {});
          }}
          onClose={close}
        >
          Deletes all four blocks. Until a block is saved again, jobs run with the settings of their clusters.
        </Confirm>
      )}
    </SettingsPart>
  );
}
