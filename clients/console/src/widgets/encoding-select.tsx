// SPDX-License-Identifier: Apache-2.0
import { Select } from '@mantine/core';
import { ENCODINGS, type Encoding } from '../data/assets/encodings.ts';

type EncodingSelectProps = {
  readonly value: Encoding | undefined;
  readonly onChange: (encoding: Encoding | undefined) => void;
  readonly error?: string | undefined;
  readonly isDisabled: boolean;
};

/** The answer to a file that could be in several encodings. */
export function EncodingSelect({ value, onChange, error, isDisabled }: EncodingSelectProps) {
  return (
    <Select
      label="Encoding"
      data={ENCODINGS}
      value={value ?? null}
      onChange={(chosen) => onChange(ENCODINGS.find((each) => each === chosen))}
      error={error}
      disabled={isDisabled}
    />
  );
}
