// SPDX-License-Identifier: Apache-2.0
import { SegmentedControl, Select, TagsInput } from '@mantine/core';
import type { Asset } from '@sextant/sdk';
import { holdsVectors } from '../../data/assets/vector-kinds.ts';
import { isOfAsset, isOfVectors, metricGroups, metricKind } from '../../data/metrics/metric-kinds.ts';
import { ExpressionFields } from './expression-fields.tsx';
import { FormPart, type FormPartProps } from './form-part.tsx';
import { defaultBandOf, type MonitorType } from './monitor-form.ts';

const TYPES: Readonly<Record<MonitorType, { readonly label: string; readonly purpose: string }>> = {
  PREDEFINED_METRIC: { label: 'Metric', purpose: 'A number that every scan measures, such as the completeness of an attribute.' },
  RULE: {
    label: 'Rule',
    purpose: 'A condition that each record has to meet. The monitor watches the share of records that meet it, in percent.',
  },
  METRIC: { label: 'Expression', purpose: 'A number that you define: arithmetic over aggregates, or the result of an SQL statement.' },
};

type DefinitionFieldsProps = FormPartProps & { readonly asset: Asset; readonly isNew: boolean };

/** What is watched. The kind of a monitor is fixed once it is made. */
export function DefinitionFields({ asset, isNew, ...part }: DefinitionFieldsProps) {
  const { form, change } = part;
  const { label, purpose } = TYPES[form.type];
  const attributes = (asset.attributes ?? []).map(({ name }) => name);
  return (
    <FormPart title="What it watches" purpose={isNew ? purpose : `${label}. ${purpose}`}>
      {isNew && (
        <SegmentedControl
          aria-label="Kind"
          data={(['PREDEFINED_METRIC', 'RULE', 'METRIC'] as const).map((value) => ({ value, label: TYPES[value].label }))}
          value={form.type}
          onChange={(type) => change({ type, ...defaultBandOf(type) })}
        />
      )}
      {form.type === 'PREDEFINED_METRIC' ? (
        <MetricFields {...part} isVectorAsset={holdsVectors(asset)} attributes={attributes} />
      ) : (
        <ExpressionFields {...part} attributes={asset.attributes ?? []} />
      )}
    </FormPart>
  );
}

type MetricFieldsProps = FormPartProps & { readonly isVectorAsset: boolean; readonly attributes: readonly string[] };

function MetricFields({ form, change, errorAt, isVectorAsset, attributes }: MetricFieldsProps) {
  const groups = metricGroups({ withVectors: isVectorAsset || isOfVectors(form.metric) });
  return (
    <>
      <Select
        label="Metric"
        description={metricKind(form.metric)?.sentence}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={groups}
        value={form.metric}
        onChange={(metric) => metric !== null && change({ metric })}
        allowDeselect={false}
        searchable
        maxDropdownHeight={360}
        error={errorAt('monitor.predefined_metric')}
      />
      <TagsInput
        label="Attributes"
        description={
          isOfAsset(form.metric)
            ? 'If empty, the monitor watches the whole asset.'
            : 'If empty, the monitor watches all attributes that have this metric.'
        }
        data={attributes.filter((name) => !form.attributes.includes(name))}
        value={[...form.attributes]}
        onChange={(names) => change({ attributes: names })}
        error={errorAt('monitor.attributes')}
        clearable
      />
    </>
  );
}
