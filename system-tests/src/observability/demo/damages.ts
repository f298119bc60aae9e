// SPDX-License-Identifier: Apache-2.0
/** What goes wrong with deliveries, each as it happens to real ones, and the monitors that ought to notice. */
import type { PREBUILT_MONITOR_IDS } from '@sextant/contracts-observability';
import type { Random } from '@sextant/foundation-std';
import { shiftedByDays } from './deliveries.ts';
import type { Cell, Row, Table } from './tables.ts';

type PrebuiltMonitor = (typeof PREBUILT_MONITOR_IDS)[number];

/** Which columns of a table the damages hit. */
export type DamageTargets = {
  readonly ids: readonly string[];
  readonly dated?: string;
  readonly renamed: { readonly from: string; readonly to: string };
  readonly emptied: string;
  readonly shifted: { readonly column: string; readonly how: string; readonly shift: (value: number) => number };
};

export type Damage = {
  readonly name: string;
  /** In words, with the columns. */
  readonly describe: (targets: DamageTargets) => string;
  readonly apply: (table: Table, targets: DamageTargets, random: Random) => Table;
  /** Days since the file was written. */
  readonly fileAgeDays?: number;
  /** The monitor that has to notice. */
  readonly expected: PrebuiltMonitor;
  /** Monitors that may notice too, because the damage changes what they watch. */
  readonly consequences: readonly PrebuiltMonitor[];
};

const DROPPED_SHARE = 0.3;
const EMPTIED_SHARE = 0.1;
const DUPLICATED_SHARE = 0.1;
const STALE_DAYS = 30;
/** More would show how doubles are stored, fewer would make different values equal. */
const DIGITS = 12;

export const DAMAGES: readonly Damage[] = [
  {
    name: 'rows dropped',
    describe: () => `${percent(DROPPED_SHARE)} of the rows are missing`,
    apply: ({ columns, rows }, _, random) => ({ columns, rows: rows.filter(() => random.next() >= DROPPED_SHARE) }),
    expected: 'RECORD_COUNT_DRIFTS',
    // The newest rows may be among those that are missing.
    consequences: ['FRESHNESS_DRIFTS'],
  },
  {
    name: 'column renamed',
    describe: ({ renamed: { from, to } }) => `${from} is called ${to}`,
    apply: ({ columns, rows }, { renamed: { from, to } }) => ({
      columns: columns.map((column) => (column === from ? to : column)),
      rows: rows.map((row) => ({ ...row, [to]: row[from] ?? null })),
    }),
    expected: 'SCHEMA_DRIFTS',
    consequences: [],
  },
  {
    name: 'nulls injected',
    describe: ({ emptied }) => `${percent(EMPTIED_SHARE)} of ${emptied} is empty`,
    apply: (table, { emptied }, random) => mapped(table, (row) => (random.next() < EMPTIED_SHARE ? { ...row, [emptied]: null } : row)),
    expected: 'COMPLETENESS_DRIFTS',
    consequences: [],
  },
  {
    name: 'values shifted',
    describe: ({ shifted: { column, how } }) => `${column}: ${how}`,
    apply: (table, { shifted: { column, shift } }) =>
      mapped(table, (row) => ({ ...row, [column]: shiftedValue(row[column] ?? null, shift) })),
    expected: 'NUMERIC_VALUE_DRIFTS',
    consequences: ['TOP_VALUES_DRIFTS', 'VALUE_DISTRIBUTION_DRIFTS'],
  },
  {
    name: 'stale data',
    describe: ({ dated }) => `${dated ?? 'the file'} is ${STALE_DAYS} days old`,
    apply: (table, { dated }) => (dated === undefined ? table : shiftedByDays(table, dated, -STALE_DAYS)),
    fileAgeDays: STALE_DAYS,
    expected: 'FRESHNESS_DRIFTS',
    // Old dates are other values of the column.
    consequences: ['NUMERIC_VALUE_DRIFTS'],
  },
  {
    name: 'ids duplicated',
    describe: ({ ids }) => `${percent(DUPLICATED_SHARE)} of the rows have the ${ids.join(', ')} of another`,
    apply: (table, { ids }, random) =>
      mapped(table, (row) => {
        if (random.next() >= DUPLICATED_SHARE) return row;
        const other = table.rows[random.integer(table.rows.length)] ?? row;
        return { ...row, ...Object.fromEntries(ids.map((id) => [id, other[id] ?? null])) };
      }),
    expected: 'RECORD_ID_UNIQUENESS_DRIFTS',
    // Of the columns that make the id.
    consequences: ['UNIQUENESS_DRIFTS'],
  },
];

function mapped({ columns, rows }: Table, change: (row: Row) => Row): Table {
  return { columns, rows: rows.map(change) };
}

function shiftedValue(cell: Cell, shift: (value: number) => number): Cell {
  if (cell === null) return null;
  const shifted = Number(shift(Number(cell)).toPrecision(DIGITS));
  return typeof cell === 'number' ? shifted : String(shifted);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
