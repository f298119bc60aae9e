// SPDX-License-Identifier: Apache-2.0
import { Button, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { SuggestedRule } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { suggestedRules, useAcceptRule } from '../../../data/assets/suggestions.ts';
import { useServices } from '../../../data/services/services.ts';
import { ACTIONS, DataTable, right } from '../../../ui/data-table.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { countText } from '../../../ui/figures.ts';
import { Section } from '../../../ui/section.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { historyOf } from './rule-history.ts';

/** Rules that the rows follow almost always; one click makes one a monitor. */
export function SuggestedRules({ projectId, assetId }: { readonly projectId: string; readonly assetId: string }) {
  const { observability } = useServices();
  const found = useQuery(suggestedRules(observability, assetId));
  const accepting = useAcceptRule(assetId);
  return (
    <Section id="suggested-rules" title="Suggested rules">
      {found.isPending && <Skeleton height={120} />}
      {found.isError && <ErrorPanel error={found.error} doing="list the suggested rules" onRetry={() => void found.refetch()} />}
      {accepting.isError && <ErrorPanel error={accepting.error} doing="add the monitor" />}
      {found.data?.rules.length === 0 && (
        <Dimmed>
          {found.data.job_id === null ? 'No scan has searched for rules yet.' : 'The last search found no rule that the rows follow.'}
        </Dimmed>
      )}
      {found.data !== undefined && found.data.rules.length > 0 && (
        <DataTable minWidth={640} headings={['Rule', right('Rows that pass'), right('Exceptions'), 'In past searches', ACTIONS]}>
          {found.data.rules.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              asset={{ projectId, assetId }}
              isAdding={accepting.isPending && accepting.variables === rule.id}
              onAdd={() => accepting.mutate(rule.id)}
            />
          ))}
        </DataTable>
      )}
    </Section>
  );
}

type RuleRowProps = {
  readonly rule: SuggestedRule;
  readonly asset: { readonly projectId: string; readonly assetId: string };
  readonly isAdding: boolean;
  readonly onAdd: () => void;
};

function RuleRow({ rule, asset, isAdding, onAdd }: RuleRowProps) {
  const { description, expression, support, exceptions, history, monitor_id: monitor } = rule;
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2}>
          <Text size="sm">{description}</Text>
          <Code style={{ overflowWrap: 'anywhere' }}>{expression}</Code>
        </Stack>
      </Table.Td>
      <Table.Td ta="right">{countText(support)}</Table.Td>
      <Table.Td ta="right">{countText(exceptions)}</Table.Td>
      <Table.Td>
        <RuleHistory history={history} />
      </Table.Td>
      <Table.Td ta="right">
        {monitor === null ? (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Button
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/assets/$projectId/$assetId/monitors/new"
                  params={asset}
                  search={{ rule: expression, name: description }}
                />
              )}
              size="compact-sm"
              variant="subtle"
              aria-label={`Edit before adding: ${description}`}
            >
              Edit
            </Button>
            <Button size="compact-sm" variant="default" loading={isAdding} onClick={onAdd} aria-label={`Add monitor: ${description}`}>
              Add monitor
            </Button>
          </Group>
        ) : (
          <Dimmed>Monitored</Dimmed>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** What a monitor with the rule would have measured. */
function RuleHistory({ history }: Pick<SuggestedRule, 'history'>) {
  const { shares, text } = historyOf(history);
  return (
    <Group gap="xs" wrap="nowrap">
      {shares.length > 1 && <Sparkline values={shares} min={Math.min(95, ...shares)} max={100} label={text} />}
      <Dimmed size="xs">{text}</Dimmed>
    </Group>
  );
}
