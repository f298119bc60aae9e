import { Badge, Table, Text, Title } from '@mantine/core';
import type { Attribute, MetricHistoryItem } from '@sextant/sdk';
import { scoreText } from '../../ui/figures.ts';

/** What the newest scan says of each attribute. */
const SHOWN = [
  { metric: 'COMPLETENESS', label: 'Complete', isPercentage: true },
  { metric: 'DISTINCT_COUNT', label: 'Distinct', isPercentage: false },
  { metric: 'MIN', label: 'Least', isPercentage: false },
  { metric: 'MEAN', label: 'Mean', isPercentage: false },
  { metric: 'MAX', label: 'Greatest', isPercentage: false },
] as const;

type AttributeTableProps = { readonly attributes: readonly Attribute[]; readonly history: readonly MetricHistoryItem[] };

export function AttributeTable({ attributes, history }: AttributeTableProps) {
  const newest = new Map<string, MetricHistoryItem>();
  for (const item of history) {
    if (item.attribute !== null && item.segment === null && item.value !== null)
      newest.set(`${item.attribute}\u0000${item.metric_name}`, item);
  }
  return (
    <section aria-labelledby="attributes">
      <Title order={2} size="h5" mb="xs" id="attributes">
        Attributes
      </Title>
      <Table.ScrollContainer minWidth={640}>
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Type</Table.Th>
              {SHOWN.map(({ metric, label }) => (
                <Table.Th key={metric} ta="right">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attributes.map(({ name, data_type: type, monitored }) => (
              <Table.Tr key={name}>
                <Table.Td ff="monospace">
                  {name}{' '}
                  {!monitored && (
                    <Badge variant="default" size="xs">
                      not monitored
                    </Badge>
                  )}
                </Table.Td>
                <Table.Td>{type.toLowerCase()}</Table.Td>
                {SHOWN.map(({ metric, isPercentage }) => {
                  const value = newest.get(`${name}\u0000${metric}`)?.value;
                  return (
                    <Table.Td key={metric} ta="right">
                      {value == null ? <Text c="dimmed">–</Text> : isPercentage ? `${value.toFixed(1)} %` : scoreText(value)}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
