// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { refreshIncidents } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { pastAlertsText } from './past-alerts-text.ts';

/** Makes incidents of alerts that belong to none, for whoever may. */
export function PastAlerts() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const refusal = useRefusal('operator');
  if (refusal !== undefined) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Incidents from past alerts
      </Button>
      {isOpen && <PastAlertsDialog onClose={close} />}
    </>
  );
}

function PastAlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const { observability } = useServices();
  const making = useMutation({
    mutationFn: () => observability.backfillIncidents(),
    onSuccess: refreshIncidents,
  });
  return (
    <Modal opened onClose={onClose} title="Incidents from past alerts">
      <Stack gap="sm">
        {making.isSuccess ? (
          <Text size="sm" role="status">
            {pastAlertsText(making.data)}
          </Text>
        ) : (
          <Text size="sm">
            Creates incidents from the alerts of the last 30 days that belong to no incident, in the order of their scans. Nobody is
            notified, and no ticket is created.
          </Text>
        )}
        {making.isError && <ErrorPanel error={making.error} doing="create the incidents" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {making.isSuccess ? 'Done' : 'Cancel'}
          </Button>
          {!making.isSuccess && (
            <Button loading={making.isPending} onClick={() => making.mutate()}>
              Create the incidents
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
