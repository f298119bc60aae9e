// SPDX-License-Identifier: Apache-2.0
import { Group, NumberInput, Select, Text } from '@mantine/core';
import { FormPart, type FormPartProps } from './form-part.tsx';
import type { MonitorForm } from './monitor-form.ts';

const THRESHOLDS: Readonly<Record<MonitorForm['thresholdType'], { readonly label: string; readonly purpose: string }>> = {
  ML: {
    label: 'Learned',
    purpose: 'Learned from past values, with their trend, time of day and day of the week. Needs six scans.',
  },
  STATIC: { label: 'Fixed bounds', purpose: 'A value outside the bounds is a violation. Needs one scan.' },
  RELATIVE: {
    label: 'Change from the mean',
    purpose: 'Percent above or below the mean of the past values; -10 means 10 % less. Needs three scans.',
  },
};

/** Within which band a value is in order. */
export function ThresholdFields({ form, change, errorAt }: FormPartProps) {
  const { purpose } = THRESHOLDS[form.thresholdType];
  const error = errorAt('threshold');
  const hasBounds = form.thresholdType !== 'ML';
  const unit = form.thresholdType === 'RELATIVE' ? ' %' : '';
  return (
    <FormPart title="Expected values">
      <Select
        label="Band"
        description={purpose}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={(['ML', 'STATIC', 'RELATIVE'] as const).map((value) => ({ value, label: THRESHOLDS[value].label }))}
        value={form.thresholdType}
        onChange={(thresholdType) => thresholdType !== null && change({ thresholdType })}
        allowDeselect={false}
        error={hasBounds ? undefined : error}
      />
      {hasBounds && (
        <>
          <Group gap="xs" grow align="start">
            <NumberInput
              label="Not below"
              suffix={unit}
              value={form.lower}
              onChange={(lower) => change({ lower })}
              placeholder="no bound"
              error={error !== undefined}
            />
            <NumberInput
              label="Not above"
              suffix={unit}
              value={form.upper}
              onChange={(upper) => change({ upper })}
              placeholder="no bound"
              error={error !== undefined}
            />
          </Group>
          {error !== undefined && (
            <Text size="xs" c="var(--mantine-color-error)" role="alert">
              {error}
            </Text>
          )}
        </>
      )}
      <Group gap="xs" grow align="start">
        <Select
          label="A missing value"
          data={[
            { value: 'IGNORE', label: 'is not evaluated' },
            { value: 'ZERO', label: 'counts as zero' },
            { value: 'AVERAGE', label: 'counts as the mean' },
          ]}
          value={form.extrapolation}
          onChange={(extrapolation) => extrapolation !== null && change({ extrapolation })}
          allowDeselect={false}
        />
        <NumberInput
          label="Number of past values"
          description="With 0, the service chooses."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={form.historyLimit}
          onChange={(historyLimit) => change({ historyLimit })}
          min={0}
          max={1000}
          allowDecimal={false}
        />
      </Group>
    </FormPart>
  );
}
