// SPDX-License-Identifier: Apache-2.0
import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { SparkJobConfig } from '@sextant/sdk';
import { useState } from 'react';
import { fieldError } from '../../data/services/field-error.ts';
import { BlockCard } from './block-card.tsx';
import { blockOf, type Cluster, type ClusterField, type ClusterName, type Written } from './blocks.ts';

type ClusterBlockProps = { readonly cluster: Cluster; readonly stored: SparkJobConfig[ClusterName] };

export function ClusterBlock({ cluster: { block, title, purpose, fields }, stored }: ClusterBlockProps) {
  const before: Written = stored ?? {};
  const [written, setWritten] = useState<Written>(before);
  const now = blockOf(written);
  const errorAt = (error: unknown, { name }: ClusterField) => fieldError(error, `${block}.${name}`);
  return (
    <BlockCard
      block={block}
      title={title}
      purpose={purpose}
      isStored={stored !== undefined}
      written={now}
      isChanged={fields.some(({ name }) => (now?.[name] ?? '') !== (before[name] ?? ''))}
      onReset={() => setWritten(before)}
      isSaid={(error) => fields.some((field) => errorAt(error, field) !== undefined)}
    >
      {(error) => (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              value={written[field.name] ?? ''}
              error={errorAt(error, field)}
              onChange={(value) => setWritten({ ...written, [field.name]: value })}
            />
          ))}
        </SimpleGrid>
      )}
    </BlockCard>
  );
}

type FieldProps = {
  readonly field: ClusterField;
  readonly value: string | number;
  readonly error: string | undefined;
  readonly onChange: (value: string | number) => void;
};

function Field({ field, value, error, onChange }: FieldProps) {
  const common = { label: field.label, error, value };
  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...common}
          {...(field.hint !== undefined && { description: field.hint, style: { gridColumn: '1 / -1', overflowWrap: 'anywhere' } })}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'integer':
      return <NumberInput {...common} onChange={onChange} min={0} allowDecimal={false} allowNegative={false} clampBehavior="none" />;
    case 'choice':
      return (
        <Select
          {...common}
          value={value === '' ? null : String(value)}
          data={field.choices}
          onChange={(chosen) => onChange(chosen ?? '')}
          clearable
        />
      );
  }
}
