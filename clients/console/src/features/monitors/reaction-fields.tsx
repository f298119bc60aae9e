// SPDX-License-Identifier: Apache-2.0
import { MultiSelect, SegmentedControl, Select, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelList } from '../../data/channels.ts';
import { useServices } from '../../data/services/services.ts';
import { templateList } from '../../data/tickets.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { checkField } from '../../ui/fields.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { FormPart, type FormPartProps } from './form-part.tsx';
import type { Level } from './monitor-form.ts';

const NO_IMPACT = 'NONE';
const IMPACTS: readonly { readonly value: Level | typeof NO_IMPACT; readonly label: string }[] = [
  { value: NO_IMPACT, label: 'None' },
  { value: 'LOW', label: 'Low' },
  { value: 'MEDIUM', label: 'Medium' },
  { value: 'HIGH', label: 'High' },
];

/** What becomes of an incident that the monitor opens: how much it matters, who is notified, whether it gets a ticket. */
export function ReactionFields(part: FormPartProps) {
  const { form, change, errorAt } = part;
  return (
    <FormPart title="Incident options">
      <Stack gap={4} role="group" aria-label="Impact">
        <Text size="xs" fw={500}>
          Impact
        </Text>
        <SegmentedControl
          aria-label="Impact"
          data={[...IMPACTS]}
          value={form.impact ?? NO_IMPACT}
          onChange={(impact) => change({ impact: impact === NO_IMPACT ? null : impact })}
        />
        <Dimmed size="xs">
          How much incidents of this monitor matter to you. The priority, which is how far a value is outside the band, is measured for each
          alert.
        </Dimmed>
      </Stack>
      <TagsInput
        label="Tags"
        value={[...form.tags]}
        onChange={(tags) => change({ tags })}
        error={errorAt('tags')}
        description="The monitor and its incidents get these tags."
      />
      <Notification {...part} />
      <Ticketing {...part} />
    </FormPart>
  );
}

function Notification({ form, change, errorAt }: FormPartProps) {
  const { observability } = useServices();
  const channels = useQuery(channelList(observability));
  const known = channels.data?.map(({ name }) => name) ?? [];
  return (
    <>
      <Switch
        label="Notify channels when an incident opens, gets worse, closes or opens again"
        {...checkField(form.notifies, (notifies) => change({ notifies }))}
      />
      {channels.isError && <ErrorPanel error={channels.error} doing="list the channels" />}
      {form.notifies && channels.data?.length === 0 && (
        <Dimmed>
          There is no channel yet. <TextLink to="/settings/channels">Create one</TextLink>
        </Dimmed>
      )}
      {(form.notifies || form.channels.length > 0) && (
        <MultiSelect
          label="Channels"
          data={[...new Set([...known, ...form.channels])]}
          value={[...form.channels]}
          onChange={(names) => change({ channels: names })}
          error={errorAt('notification')}
          searchable
        />
      )}
    </>
  );
}

function Ticketing({ form, change, errorAt }: FormPartProps) {
  const { observability } = useServices();
  const templates = useQuery(templateList(observability));
  const known = templates.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? [];
  const chosen = form.templateId === null ? null : String(form.templateId);
  const isUnknown = chosen !== null && !known.some(({ value }) => value === chosen);
  return (
    <>
      <Switch label="Create a ticket for each incident" {...checkField(form.makesTickets, (makesTickets) => change({ makesTickets }))} />
      {templates.isError && <ErrorPanel error={templates.error} doing="list the ticket templates" />}
      {form.makesTickets && templates.data?.length === 0 && (
        <Dimmed>
          There is no template yet. <TextLink to="/settings/ticket-templates">Create one</TextLink>
        </Dimmed>
      )}
      {(form.makesTickets || chosen !== null) && (
        <Select
          label="Ticket template"
          data={isUnknown ? [...known, { value: chosen, label: `Template ${chosen}` }] : known}
          value={chosen}
          onChange={(id) => change({ templateId: id === null ? null : Number(id) })}
          error={errorAt('ticketing')}
          searchable
          clearable
        />
      )}
    </>
  );
}
