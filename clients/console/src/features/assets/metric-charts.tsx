// SPDX-License-Identifier: Apache-2.0
import { Group, SegmentedControl, Select, SimpleGrid } from '@mantine/core';
import type { Attribute, MetricHistoryItem } from '@sextant/sdk';
import { useMemo } from 'react';
import { attributeTitle, type Series, seriesOf } from '../../data/metrics/series.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Section } from '../../ui/section.tsx';
import { type AssetView, RANGES } from './asset-view.ts';
import { ChartCard } from './chart-card.tsx';

const WHOLE = 'the whole asset';
const OUT_OF_ORDER = 'violations of the last scan';
const ALL_ROWS = 'all records';
const CHARTS_MAX = 48;

type MetricChartsProps = {
  readonly assetId: string;
  /** Of the last scan, which says what is measured. */
  readonly measured: readonly MetricHistoryItem[];
  readonly attributes: readonly Attribute[];
  readonly view: AssetView;
  readonly onView: (part: AssetView) => void;
};

/** Metrics over time, of one attribute at a time; what was out of order first. */
export function MetricCharts({ assetId, measured, attributes: known, view, onView }: MetricChartsProps) {
  const series = useMemo(() => seriesOf(measured, known), [measured, known]);
  const hasViolation = series.some(({ isViolated }) => isViolated);
  const attributes = [...new Set(series.flatMap(({ attribute }) => (attribute === null ? [] : [attributeTitle(attribute)])))];
  const choices = [...(hasViolation ? [OUT_OF_ORDER] : []), WHOLE, ...attributes];
  // An address may name what is no longer measured.
  const of = choices.find((each) => each === view.of) ?? choices[0];
  const ofChoice =
    of === OUT_OF_ORDER
      ? series.filter(({ isViolated }) => isViolated)
      : series.filter((each) => (each.attribute === null ? WHOLE : attributeTitle(each.attribute)) === of);
  const segments = [...new Set(series.flatMap(({ segment }) => (segment === null ? [] : [segment])))].toSorted();
  const shown = of === OUT_OF_ORDER ? ofChoice : ofChoice.filter(({ segment }) => (segment ?? ALL_ROWS) === (view.segment ?? ALL_ROWS));
  const from = useMemo(() => RANGES.find(({ value }) => value === view.range)?.from(measured), [view.range, measured]);
  return (
    <Section id="metrics" title="Metrics over time">
      <Group gap="sm" mb="sm" align="end">
        <Select
          label="Of"
          data={choices}
          value={of ?? null}
          onChange={(chosen) => onView({ of: chosen ?? undefined })}
          allowDeselect={false}
          searchable
          w={280}
        />
        {segments.length > 0 && of !== OUT_OF_ORDER && (
          <Select
            label="Where"
            data={[ALL_ROWS, ...segments]}
            value={view.segment ?? ALL_ROWS}
            onChange={(chosen) => onView({ segment: chosen === null || chosen === ALL_ROWS ? undefined : chosen })}
            allowDeselect={false}
            searchable
            w={220}
          />
        )}
        <SegmentedControl
          aria-label="Time range"
          data={RANGES.map(({ value, label }) => ({ value, label }))}
          value={view.range ?? 'all'}
          onChange={(chosen) => onView({ range: RANGES.find(({ value }) => value === chosen)?.value })}
        />
      </Group>
      {shown.length === 0 && <Dimmed>The last scan measured nothing for this selection.</Dimmed>}
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="sm">
        {shown.slice(0, CHARTS_MAX).map((each: Series) => (
          <ChartCard key={each.key} assetId={assetId} series={each} from={from} />
        ))}
      </SimpleGrid>
      {shown.length > CHARTS_MAX && (
        <Dimmed mt="xs">
          The first {CHARTS_MAX} of {shown.length} metrics are shown. Choose an attribute to see others.
        </Dimmed>
      )}
    </Section>
  );
}
