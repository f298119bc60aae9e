// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { systemClock } from '@sextant/foundation-std';
import type { ObservabilityClient } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { filterQuery, type IncidentFilter } from '../../data/incidents/filter.ts';
import { refreshIncidents } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { countText } from '../../ui/figures.ts';
import { HANDLING } from './handling-words.ts';

/** What the service does in one request. */
const INCIDENTS_MAX = 500;
const SNOOZE_MS = 7 * 86_400_000;

const ACTIONS = [
  { value: 'ACKNOWLEDGED', label: HANDLING.ACKNOWLEDGED.label },
  { value: 'SNOOZED', label: `${HANDLING.SNOOZED.label} for 7 days` },
  { value: 'EXPECTED', label: HANDLING.EXPECTED.label },
  { value: 'FALSE_POSITIVE', label: HANDLING.FALSE_POSITIVE.label },
  { value: 'CLOSE', label: 'Close' },
  { value: 'CLEAR', label: 'Clear the handling' },
] as const;

type BulkProps = { readonly filter: IncidentFilter; readonly count: number };

/** Does the same about all incidents that pass the filter, for whoever may. */
export function BulkActions({ filter, count }: BulkProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const refusal = useRefusal('operator');
  if (refusal !== undefined || count === 0) return null;
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={open}>
        Handle all of these
      </Button>
      {isOpen && <BulkDialog filter={filter} count={count} onClose={close} />}
    </>
  );
}

function BulkDialog({ filter, count, onClose }: BulkProps & { readonly onClose: () => void }) {
  const { observability } = useServices();
  const [action, setAction] = useState<(typeof ACTIONS)[number]['value']>('ACKNOWLEDGED');
  const [note, setNote] = useState('');
  const handling = useMutation({
    mutationFn: async () => {
      const incident_ids = await idsOf(observability, filter);
      const until = action === 'SNOOZED' ? { until: new Date(systemClock.nowMs() + SNOOZE_MS).toISOString() } : {};
      return observability.bulkIncidents({ incident_ids, action, ...until, ...(note.trim() !== '' && { note: note.trim() }) });
    },
    onSuccess: refreshIncidents,
  });
  const isTooMany = count > INCIDENTS_MAX;
  return (
    <Modal opened onClose={onClose} title={`Handle ${countText(count)} ${count === 1 ? 'incident' : 'incidents'}`}>
      <Stack gap="sm">
        {isTooMany && <Text size="sm">At most {INCIDENTS_MAX} incidents can be handled at a time. Add a filter.</Text>}
        {!isTooMany && !handling.isSuccess && (
          <>
            <Select
              label="Action"
              data={ACTIONS}
              value={action}
              onChange={(value) => setAction(ACTIONS.find((each) => each.value === value)?.value ?? action)}
              allowDeselect={false}
            />
            <Textarea label="Note" {...textField(note, setNote)} autosize minRows={2} />
          </>
        )}
        {handling.isSuccess && (
          <Text size="sm" role="status">
            Done for {countText(handling.data.done.length)}
            {handling.data.refused.length > 0 &&
              `; refused for ${countText(handling.data.refused.length)}: ${handling.data.refused[0]?.reason}`}
            .
          </Text>
        )}
        {handling.isError && <ErrorPanel error={handling.error} doing="handle the incidents" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {handling.isSuccess ? 'Done' : 'Cancel'}
          </Button>
          {!handling.isSuccess && (
            <Button loading={handling.isPending} disabled={isTooMany} onClick={() => handling.mutate()}>
              Handle them
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

async function idsOf(client: ObservabilityClient, filter: IncidentFilter): Promise<number[]> {
  return (await client.listIncidents({ ...filterQuery(filter), limit: INCIDENTS_MAX })).map(({ id }) => id);
}
