// SPDX-License-Identifier: Apache-2.0
import { Checkbox, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import type { Attribute, MetricHistoryItem } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { refreshAttributes } from '../../data/assets/queries.ts';
import { completenessHistory } from '../../data/metrics/queries.ts';
import { isDated, timeText } from '../../data/metrics/series.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { scoreText } from '../../ui/figures.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { attributeProfiles } from './attribute-profile.ts';
import { Distribution } from './distribution.tsx';

const SEARCH_FROM = 12;

type AttributeTableProps = {
  readonly projectId: string;
  readonly assetId: string;
  readonly attributes: readonly Attribute[];
  /** Of the last scan. */
  readonly measured: readonly MetricHistoryItem[];
};

/** What the last scan says of each attribute, and which of them scans measure. */
export function AttributeTable({ projectId, assetId, attributes, measured }: AttributeTableProps) {
  const { observability } = useServices();
  const [sought, setSought] = useState('');
  const profiles = useMemo(() => attributeProfiles(measured), [measured]);
  const trends = useQuery(completenessHistory(observability, assetId, attributes.length)).data;
  const trendOf = useMemo(() => Map.groupBy(trends ?? [], ({ attribute }) => attribute), [trends]);
  const monitored = attributes.filter((each) => each.monitored).map(({ name }) => name);
  const choosing = useMutation({
    mutationFn: (names: readonly string[]) => observability.putAttributes({ asset_id: assetId, monitored: names }),
    onSuccess: () => refreshAttributes(assetId),
  });
  const shown = attributes.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase()));
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Dimmed>
          {monitored.length} of {attributes.length} attributes are measured by scans. Monitors watch only measured attributes.
        </Dimmed>
        {attributes.length > SEARCH_FROM && (
          <TextInput aria-label="Find an attribute" placeholder="Find an attribute" {...textField(sought, setSought)} />
        )}
      </Group>
      {choosing.isError && <ErrorPanel error={choosing.error} doing="change which attributes are measured" />}
      <DataTable
        minWidth={860}
        highlightOnHover
        headings={[
          {
            label: (
              <Checkbox
                aria-label="Measure all attributes"
                checked={monitored.length === attributes.length}
                indeterminate={monitored.length > 0 && monitored.length < attributes.length}
                disabled={choosing.isPending}
                onChange={(event) => choosing.mutate(event.currentTarget.checked ? attributes.map(({ name }) => name) : [])}
              />
            ),
            w: 40,
          },
          'Name',
          'Type',
          'Complete',
          right('Distinct'),
          right('Mean'),
          'Values',
        ]}
      >
        {shown.map(({ name, data_type: type, source_type: sourceType, monitored: isMonitored }) => {
          const profile = profiles.get(name);
          const trend = trendOf.get(name)?.flatMap(({ value }) => (value === null ? [] : [value])) ?? [];
          return (
            <Table.Tr key={name}>
              <Table.Td>
                <Checkbox
                  aria-label={`Measure ${name}`}
                  checked={isMonitored}
                  disabled={choosing.isPending}
                  onChange={() => choosing.mutate(isMonitored ? monitored.filter((each) => each !== name) : [...monitored, name])}
                />
              </Table.Td>
              <Table.Td>
                <TextLink
                  to={`/assets/${projectId}/${assetId}?of=${encodeURIComponent(name)}`}
                  ff="monospace"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {name}
                </TextLink>
              </Table.Td>
              <Table.Td title={sourceType}>{type.toLowerCase()}</Table.Td>
              <Table.Td>
                {profile?.completeness == null ? (
                  <Dimmed span>–</Dimmed>
                ) : (
                  <Group gap="xs" wrap="nowrap">
                    <Text size="sm" w={56} ta="right">
                      {profile.completeness.toFixed(1)} %
                    </Text>
                    {trend.length > 1 && (
                      <Sparkline
                        values={trend}
                        min={Math.min(...trend, 90)}
                        max={100}
                        label={`Completeness of ${name} over ${trend.length} scans`}
                      />
                    )}
                  </Group>
                )}
              </Table.Td>
              <Table.Td ta="right">{profile?.distinct == null ? <Dimmed span>–</Dimmed> : scoreText(profile.distinct)}</Table.Td>
              <Table.Td ta="right">
                {profile?.mean == null ? (
                  <Dimmed span>–</Dimmed>
                ) : isDated({ data_type: type }) ? (
                  timeText(profile.mean)
                ) : (
                  scoreText(profile.mean)
                )}
              </Table.Td>
              <Table.Td>
                {profile === undefined ? <Dimmed span>–</Dimmed> : <Distribution profile={profile} isTime={isDated({ data_type: type })} />}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </DataTable>
    </Stack>
  );
}
