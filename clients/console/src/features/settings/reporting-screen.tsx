// SPDX-License-Identifier: Apache-2.0
import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DqReporting } from '@sextant/sdk';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { reporting } from '../../data/configurations.ts';
import { storeList } from '../../data/connections.ts';
import { queryClient } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { SettingsPart } from '../../ui/section.tsx';
import { ReportingForm } from './reporting-form.tsx';

/** Where the reports of monitor scans go. */
export function ReportingScreen() {
  const { observability } = useServices();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const config = useQuery(reporting(observability));
  const connections = useQuery(storeList(observability));
  const keep = (stored: DqReporting | null) => queryClient.setQueryData(reporting(observability).queryKey, stored);
  return (
    <SettingsPart
      title="Scan reports"
      purpose="After each scan, the service writes the findings of every monitor to a Parquet file in a folder of an object store."
      actions={
        config.data !== null &&
        config.data !== undefined && (
          <Button variant="default" color="red" leftSection={<IconTrash size={14} />} onClick={open}>
            Delete
          </Button>
        )
      }
    >
      {(config.isPending || connections.isPending) && <Skeleton height={200} />}
      {config.isError && <ErrorPanel error={config.error} doing="read the configuration" onRetry={() => void config.refetch()} />}
      {connections.isError && (
        <ErrorPanel error={connections.error} doing="list the connections" onRetry={() => void connections.refetch()} />
      )}
      {config.data !== undefined && connections.data !== undefined && (
        <ReportingForm key={JSON.stringify(config.data)} stored={config.data} connections={connections.data} onSaved={keep} />
      )}
      {isDeleting && (
        <Confirm
          title="Stop writing reports?"
          verb="Delete"
          doing="delete the configuration"
          act={async () => {
            await observability.deleteDqReporting();
            keep(null);
          }}
          onClose={close}
        >
          The settings for the folder and the connection are deleted. Reports that were already written stay in the folder.
        </Confirm>
      )}
    </SettingsPart>
  );
}
