// SPDX-License-Identifier: Apache-2.0
import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Delivery, IncidentDetail } from '@sextant/sdk';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { incidentDeliveries, incidentTicket, refreshIncident, refreshTicket } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/time.tsx';
import { CreateTicket } from './create-ticket.tsx';

/** The ticket of the incident in the tenant's tracker: its state, or the way to one. */
export function Ticket({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const refusal = useRefusal('operator', incident.project_id);
  const ticket = useQuery(incidentTicket(observability, incident));
  const newest = useQuery(incidentDeliveries(observability, incident.id)).data?.find(({ kind }) => kind === 'TICKET');
  const [isCreating, creating] = useDisclosure(false);
  const [isDetaching, detaching] = useDisclosure(false);
  const endedAt = newest?.ended_at;
  useEffect(() => {
    // Made since: the incident says which one.
    if (endedAt != null) void refreshTicket(incident.id);
  }, [endedAt, incident.id]);
  return (
    <Section id="ticket" title="Ticket">
      {ticket.isError && <ErrorPanel error={ticket.error} doing="read the ticket" onRetry={() => void ticket.refetch()} />}
      {ticket.data != null && (
        <Stack gap={4}>
          <Group gap="xs">
            <Anchor href={ticket.data.url} target="_blank" rel="noreferrer" size="sm" fw={500}>
              {ticket.data.key} <IconExternalLink size={12} aria-label="opens the tracker" />
            </Anchor>
            <Badge variant="default">{ticket.data.status ?? 'state not read yet'}</Badge>
            {refusal === undefined && (
              <Button variant="subtle" size="compact-xs" onClick={detaching.open}>
                Detach
              </Button>
            )}
          </Group>
          <Dimmed size="xs">
            created <Moment at={ticket.data.created_at} />, read <Moment at={ticket.data.synced_at} />
          </Dimmed>
          {ticket.data.last_error !== null && <Text size="xs">The state of the ticket could not be read: {ticket.data.last_error}</Text>}
        </Stack>
      )}
      {ticket.data === null && (
        <Stack gap="xs" align="start">
          {newest !== undefined && <TicketDelivery delivery={newest} />}
          {newest?.status !== 'PENDING' && refusal === undefined && (
            <Button variant="default" onClick={creating.open}>
              Create a ticket
            </Button>
          )}
          {refusal !== undefined && <Dimmed>None. {refusal}</Dimmed>}
        </Stack>
      )}
      {isCreating && <CreateTicket incident={incident} onClose={creating.close} />}
      {isDetaching && ticket.data != null && (
        <Confirm
          title={`Detach ${ticket.data.key}?`}
          verb="Detach"
          doing="detach the ticket"
          act={async () => {
            await observability.unlinkTicket({ incident_id: incident.id });
            await refreshIncident(incident.id);
          }}
          onClose={detaching.close}
        >
          The ticket stays in the tracker, but its state is no longer read and no comments are added to it.
        </Confirm>
      )}
    </Section>
  );
}

function TicketDelivery({ delivery }: { readonly delivery: Delivery }) {
  if (delivery.status === 'FAILED') {
    return (
      <Alert color="red" variant="light" title="The last ticket could not be created" w="100%">
        {delivery.last_error}
      </Alert>
    );
  }
  if (delivery.status !== 'PENDING') return null;
  return (
    <Text size="sm">
      A ticket is being created at {delivery.recipient}
      {delivery.last_error !== null && `; attempt ${delivery.attempts} failed: ${delivery.last_error}`}
    </Text>
  );
}
