// SPDX-License-Identifier: Apache-2.0
import { Badge, Code, Group, Stack } from '@mantine/core';
import type { SchemaChange } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { jobSchemaChanges } from '../../data/jobs.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Section } from '../../ui/section.tsx';

const KINDS = {
  ADDED: { says: 'added', colour: 'teal' },
  REMOVED: { says: 'removed', colour: 'red' },
  RETYPED: { says: 'type changed', colour: 'orange' },
} as const;

/** What the newest scan that alerted found changed in the columns since the previous scan it. */
export function SchemaChanges({ jobId }: { readonly jobId: string }) {
  const { observability } = useServices();
  const changes = useQuery({
    ...jobSchemaChanges(observability, jobId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (changes.isError)
    return <ErrorPanel error={changes.error} doing="read what changed in the schema" onRetry={() => void changes.refetch()} />;
  if (changes.data === undefined || changes.data.length === 0) return null;
  return (
    <Section id="schema" title="Schema changes">
      <Stack gap={6}>
        {changes.data.map((change) => (
          <Group key={`${change.kind} ${change.attribute}`} gap="xs">
            <Badge variant="dot" color={KINDS[change.kind].colour}>
              {KINDS[change.kind].says}
            </Badge>
            <Code>{change.attribute}</Code>
            <Dimmed>{typesOf(change)}</Dimmed>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

function typesOf({ before, after }: SchemaChange): string {
  return before !== null && after !== null ? `${before} became ${after}` : (before ?? after ?? '');
}
