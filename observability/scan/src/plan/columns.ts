// SPDX-License-Identifier: Apache-2.0
/** What of an asset is measured, and how each column is seen by the passes: its value, its text, its number. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import type { ScanRequest } from '../scan.ts';
import { hasValue } from './shown-value.ts';

export type MeasuredColumn = Column & {
  /** `number` has statistics, `time` has them in milliseconds since the epoch, `text` has lengths and characters. */
  readonly kind: 'number' | 'time' | 'text' | 'other';
  /** SQL over a row of the asset. */
  readonly value: string;
  readonly text: string;
  /** Finite doubles of numbers and times; null for other kinds. */
  readonly double: string | null;
  /** Whether the square of every double of this type is a finite double. */
  readonly isSquarable: boolean;
  /** Whether the value counts as empty; null where it never does. */
  readonly isEmpty: string | null;
};

/** The monitored attributes that the source has, in its order. */
export function measuredColumns(
  columns: readonly Column[],
  { attributes, options }: Pick<ScanRequest, 'attributes' | 'options'>,
  dialect: Dialect,
): readonly MeasuredColumn[] {
  const monitored = new Set(attributes.filter((attribute) => attribute.monitored).map(({ name }) => name));
  return columns.filter(({ name }) => monitored.has(name)).map((column) => measuredColumn(column, dialect, options.empty_values ?? []));
}

export function measuredColumn(column: Column, dialect: Dialect, emptyValues: readonly string[]): MeasuredColumn {
  const kind = kindOf(column);
  const value = dialect.identifier(column.name);
  const text = dialect.text(value, column);
  const empties = [...new Set([...(kind === 'text' ? [''] : []), ...emptyValues])];
  return {
    ...column,
    kind,
    value,
    text,
    double: kind === 'number' || kind === 'time' ? dialect.double(value, column) : null,
    isSquarable: dialect.isSquarable(column),
    isEmpty: empties.length === 0 ? null : hasValue(column, empties, dialect),
  };
}

function kindOf({ data_type: type }: Column): MeasuredColumn['kind'] {
  switch (type) {
    case 'INTEGER':
    case 'DECIMAL':
      return 'number';
    case 'DATE':
    case 'TIMESTAMP':
      return 'time';
    case 'STRING':
      return 'text';
    case 'BOOLEAN':
    case 'OTHER':
      return 'other';
  }
}
