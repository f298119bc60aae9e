// SPDX-License-Identifier: Apache-2.0
/** How the payloads of points are shown: whole, or some keys in columns of their own. */
import { Code, MultiSelect, Text } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import type { JsonObject, JsonValue } from '@sextant/sdk';
import { useState } from 'react';
import { Dimmed } from '../ui/dimmed.tsx';
import { jsonText } from '../ui/json.ts';

/** Which payload keys have columns of their own, until the window is closed; none shows payloads whole. */
export function useColumns(collection: string) {
  return useSessionStorage<string[]>({ key: `columns of ${collection}`, defaultValue: [], getInitialValueInEffect: false });
}

type ColumnChoiceProps = {
  readonly payloads: readonly (JsonObject | undefined)[];
  readonly columns: string[];
  readonly onChange: (columns: string[]) => void;
};

export function ColumnChoice({ payloads, columns, onChange }: ColumnChoiceProps) {
  const keys = new Set([...columns, ...payloads.flatMap((payload) => Object.keys(payload ?? {}))]);
  return (
    <MultiSelect
      aria-label="Columns"
      placeholder={columns.length === 0 ? 'Columns: whole payloads' : undefined}
      data={[...keys].sort((a, b) => a.localeCompare(b))}
      value={columns}
      onChange={onChange}
      searchable
      clearable
      maw={480}
    />
  );
}

/** A value in a cell. */
export function cellText(value: JsonValue | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : jsonText(value);
}

/** One line until it is opened. */
export function Payload({ payload }: { readonly payload: JsonObject | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  if (payload === undefined || Object.keys(payload).length === 0) {
    return <Dimmed>none</Dimmed>;
  }
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      style={{ all: 'unset', cursor: 'pointer', display: 'block', width: '100%' }}
    >
      {isOpen ? (
        <Code block>{jsonText(payload, 2)}</Code>
      ) : (
        <Text size="sm" truncate ff="monospace" component="span" display="block">
          {jsonText(payload)}
        </Text>
      )}
    </button>
  );
}
