// SPDX-License-Identifier: Apache-2.0
import { Box, Group, Stack, Text } from '@mantine/core';
import type { SimilarIncident } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { similarIncidents } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';
import { IncidentStatusBadge } from '../../widgets/incident-badges.tsx';
import { handlingText } from './handling-words.ts';

/** The three incidents most like this one: how they ended, and what people said. */
export function SimilarIncidents({ id }: { readonly id: number }) {
  const { observability } = useServices();
  const found = useQuery(similarIncidents(observability, id));
  if (found.isError) return <ErrorPanel error={found.error} doing="look for similar incidents" onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  return (
    <Section id="similar" title="Similar incidents">
      {found.data.length === 0 && <Dimmed>No other incident is similar to this one.</Dimmed>}
      <Stack gap="sm">
        {found.data.map((each) => (
          <Similar key={each.incident_id} incident={each} />
        ))}
      </Stack>
    </Section>
  );
}

function Similar({ incident }: { readonly incident: SimilarIncident }) {
  const {
    incident_id: id,
    status,
    asset_name: asset,
    alert_policy_name: monitor,
    shared,
    closed_time: closed,
    handling,
    last_comment,
  } = incident;
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Box w={60} style={{ flexShrink: 0 }}>
        <IncidentStatusBadge status={status} />
      </Box>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <TextLink to={`/incidents/${id}`}>
          {monitor} in {asset}
        </TextLink>
        <Dimmed size="xs">
          {Math.round(incident.similarity * 100)} % similar: {shared.length === 0 ? 'the words of its description' : shared.join(', ')}
        </Dimmed>
        <Dimmed size="xs">
          Opened <Moment at={incident.created_time} />
          {closed !== null && (
            <>
              , closed <Moment at={closed} />
            </>
          )}
          {handling !== null && `; ${handlingText(handling.state)}${handling.note === null ? '' : `: ${handling.note}`}`}
        </Dimmed>
        {last_comment !== null && (
          <Text size="xs">
            {last_comment.author}: {last_comment.text}
          </Text>
        )}
      </div>
    </Group>
  );
}
