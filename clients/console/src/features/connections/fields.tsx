// SPDX-License-Identifier: Apache-2.0
import { Checkbox, NumberInput, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import type { ConnectionValues } from '../../data/connections.ts';
import { fieldError } from '../../data/services/field-error.ts';
import { checkField, textField } from '../../ui/fields.ts';
import type { ConnectionField } from './connection-kinds.ts';

type FieldsProps = {
  readonly fields: readonly ConnectionField[];
  readonly values: ConnectionValues;
  readonly onChange: (values: ConnectionValues) => void;
  /** The member that the fields are in, by which the service names a fault. */
  readonly within: string;
  readonly error: unknown;
};

export function Fields({ fields, ...shared }: FieldsProps) {
  return fields.map((field) => <Field key={field.name} field={field} {...shared} />);
}

type FieldProps = Omit<FieldsProps, 'fields'> & { readonly field: ConnectionField };

function Field({ field, values, onChange, within, error }: FieldProps) {
  const { name, label, example, help, isRequired = false, kind = 'text' } = field;
  const value = values[name] ?? '';
  const set = (next: string | number | boolean) => onChange({ ...values, [name]: next });
  const shared = { label, description: help, placeholder: example, required: isRequired, error: fieldError(error, `${within}.${name}`) };
  switch (kind) {
    case 'flag':
      return <Checkbox label={label} {...checkField(value === true, set)} />;
    case 'number':
      return <NumberInput {...shared} value={typeof value === 'boolean' ? '' : value} onChange={set} min={1} hideControls />;
    case 'secret':
      return <PasswordInput {...shared} {...textField(String(value), set)} autoComplete="off" />;
    case 'long':
    case 'long-secret':
      return <Textarea {...shared} {...textField(String(value), set)} autosize minRows={2} maxRows={6} autoComplete="off" />;
    case 'choice':
      return (
        <Select
          {...shared}
          data={field.options ?? []}
          value={String(value) || (field.options?.[0]?.value ?? null)}
          onChange={(next) => set(next ?? '')}
          allowDeselect={false}
        />
      );
    case 'text':
      return <TextInput {...shared} {...textField(String(value), set)} />;
  }
}
