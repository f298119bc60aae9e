// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Menu, Stack, Text, Textarea } from '@mantine/core';
import { systemClock } from '@sextant/foundation-std';
import type { IncidentDetail, IncidentHandling } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshIncident } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { Section } from '../../ui/section.tsx';
import { Moment } from '../../ui/time.tsx';
import { HANDLING, type HandlingState } from './handling-words.ts';

const DAY_MS = 86_400_000;
const SNOOZES = [1, 7, 30] as const;

type HandlingProps = { readonly incident: IncidentDetail; readonly handling: IncidentHandling | null };

/** What somebody said of the incident, and what can be said. */
export function Handling({ incident, handling }: HandlingProps) {
  const { observability } = useServices();
  const refusal = useRefusal('operator', incident.project_id);
  const [note, setNote] = useState('');
  const written = note.trim();
  const saying = useMutation({
    mutationFn: (said: { readonly state: HandlingState | null; readonly days?: number }) =>
      observability.putIncidentHandling({
        incident_id: incident.id,
        state: said.state,
        ...(said.state !== null && written !== '' && { note: written }),
        ...(said.days === undefined ? {} : { until: new Date(systemClock.nowMs() + said.days * DAY_MS).toISOString() }),
      }),
    onSuccess: async () => {
      setNote('');
      await refreshIncident(incident.id);
    },
  });
  const say = (state: HandlingState | null, days?: number) => saying.mutate({ state, ...(days === undefined ? {} : { days }) });
  if (refusal !== undefined && handling === null) return null;
  return (
    <Section id="handling" title="Handling">
      <Stack gap="xs">
        {handling !== null && (
          <Text size="sm" role="status">
            {HANDLING[handling.state].says} by {handling.actor}, <Moment at={handling.timestamp} />
            {handling.until !== null && (
              <>
                , until <Moment at={handling.until} />
              </>
            )}
            {handling.note !== null && `: ${handling.note}`}
          </Text>
        )}
        {refusal === undefined && (
          <Textarea
            label="Note"
            placeholder="The reason, saved with your choice"
            {...textField(note, setNote)}
            maxLength={10_000}
            autosize
          />
        )}
        {refusal === undefined && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              disabled={saying.isPending}
              onClick={() => say('ACKNOWLEDGED')}
              title={HANDLING.ACKNOWLEDGED.means}
            >
              {HANDLING.ACKNOWLEDGED.label}
            </Button>
            <Menu>
              <Menu.Target>
                <Button size="xs" variant="default" disabled={saying.isPending} title={HANDLING.SNOOZED.means}>
                  {HANDLING.SNOOZED.label}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {SNOOZES.map((days) => (
                  <Menu.Item key={days} onClick={() => say('SNOOZED', days)}>
                    {days === 1 ? '1 day' : `${days} days`}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
            {(['EXPECTED', 'FALSE_POSITIVE'] as const).map((state) => (
              <Button
                key={state}
                size="xs"
                variant="default"
                disabled={saying.isPending}
                onClick={() => say(state)}
                title={HANDLING[state].means}
              >
                {HANDLING[state].label}
              </Button>
            ))}
            {handling !== null && (
              <Button size="xs" variant="subtle" disabled={saying.isPending} onClick={() => say(null)}>
                Clear
              </Button>
            )}
          </Group>
        )}
        {saying.isError && <ErrorPanel error={saying.error} doing="save it" />}
      </Stack>
    </Section>
  );
}
