// SPDX-License-Identifier: Apache-2.0
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { checkField, textField } from '../ui/fields.ts';

/** What somebody said of files whose rows are points. */
export type VectorColumnsText = { readonly arePoints: boolean; readonly vectors: string; readonly id: string };

export const NO_POINTS: VectorColumnsText = { arePoints: false, vectors: '', id: '' };

type VectorColumnsProps = {
  readonly value: VectorColumnsText;
  readonly onChange: (value: VectorColumnsText) => void;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
};

/** Asks whether the rows of files are points with vectors, and which columns these are. */
export function VectorColumns({ value, onChange, error, isDisabled = false }: VectorColumnsProps) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="The rows are points with vectors"
        description="For Parquet, Arrow, Avro, ORC and NumPy files: scans measure the vectors instead of the columns"
        {...checkField(value.arePoints, (arePoints) => onChange({ ...value, arePoints }))}
        disabled={isDisabled}
      />
      {value.arePoints && (
        <>
          <TextInput
            label="Columns with vectors"
            description="Columns that hold lists of numbers, separated by commas. The column of a NumPy array is named vector"
            placeholder="embedding"
            {...textField(value.vectors, (vectors) => onChange({ ...value, vectors }))}
            error={error}
            disabled={isDisabled}
            required
          />
          <TextInput
            label="Column with the ids"
            description="If empty, row numbers serve as ids"
            {...textField(value.id, (id) => onChange({ ...value, id }))}
            disabled={isDisabled}
          />
        </>
      )}
    </Stack>
  );
}

/** The members of an asset's payload. */
export function vectorMembers({ arePoints, vectors, id }: VectorColumnsText): {
  readonly vectors?: readonly string[];
  readonly id?: string;
} {
  if (!arePoints) return {};
  const names = vectors
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { vectors: names, ...(id.trim() !== '' && { id: id.trim() }) };
}
