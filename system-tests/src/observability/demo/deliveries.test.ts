// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { DAMAGES } from './damages.ts';
import { readDataSet, readTable, SMALL_DATA_SETS } from './data-sets.ts';
import { delivery } from './deliveries.ts';
import { formatOf, parseTable, type Table, tableText } from './tables.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;

describe.each(SMALL_DATA_SETS)('$name', async (dataSet) => {
  const table = await readTable(dataSet);
  const { damaged } = dataSet;
  const { dated } = damaged;
  const undamaged = (seed: number) => delivery(table, { random: seededRandom(seed), nowMs: NOW_MS, dated });
  const damagedBy = (name: string): Table => {
    const damage = DAMAGES.find((each) => each.name === name);
    if (damage === undefined) throw new RangeError(name);
    return damage.apply(undamaged(1), damaged, seededRandom(2));
  };
  const values = ({ rows }: Table, column: string) => rows.map((row) => row[column] ?? null);
  const filled = (of: Table, column: string) => values(of, column).filter((value) => value !== null).length;
  const newestMs = (of: Table) => Math.max(...values(of, dated ?? '').map((date) => Date.parse(`${String(date).replaceAll('/', '-')}Z`)));
  const ids = ({ rows }: Table) => new Set(rows.map((row) => JSON.stringify(damaged.ids.map((id) => row[id]))));

  test('is written as it was read', async () => {
    const format = formatOf(dataSet.file);
    expect(table.rows.length).toBeGreaterThan(1000);
    expect(parseTable(tableText(table, format), format)).toEqual(table);
    expect(parseTable((await readDataSet(dataSet)).toString(), format)).toEqual(table);
  });

  test('comes with most of its rows, others each time, the same for the same seed', () => {
    const shares = [1, 2, 3].map((seed) => undamaged(seed).rows.length / table.rows.length);
    for (const share of shares) expect(share).toBeGreaterThan(0.94);
    for (const share of shares) expect(share).toBeLessThan(0.98);
    expect(new Set(shares).size).toBeGreaterThan(1);
    expect(undamaged(1)).toEqual(undamaged(1));
    expect(ids(undamaged(1)).size / undamaged(1).rows.length).toBeCloseTo(ids(table).size / table.rows.length, 2);
  });

  if (dated !== undefined)
    test('ends on the day of the delivery', () => {
      expect(newestMs(undamaged(1))).toBeLessThanOrEqual(NOW_MS);
      expect(newestMs(undamaged(1))).toBeGreaterThan(NOW_MS - 2 * DAY_MS);
      expect(newestMs(damagedBy('stale data'))).toBeLessThan(NOW_MS - 29 * DAY_MS);
    });

  test('is damaged in the way that the damage says', () => {
    const whole = undamaged(1);
    const { from, to } = damaged.renamed;
    const { column } = damaged.shifted;
    expect(damagedBy('rows dropped').rows.length / whole.rows.length).toBeCloseTo(0.7, 1);
    expect(damagedBy('column renamed').columns).toEqual(whole.columns.map((name) => (name === from ? to : name)));
    expect(values(damagedBy('column renamed'), to)).toEqual(values(whole, from));
    expect(filled(damagedBy('nulls injected'), damaged.emptied) / filled(whole, damaged.emptied)).toBeCloseTo(0.9, 1);
    expect(values(damagedBy('values shifted'), column)).not.toEqual(values(whole, column));
    expect(filled(damagedBy('values shifted'), column)).toBe(filled(whole, column));
    const duplicated = damagedBy('ids duplicated');
    expect(duplicated.rows.length).toBe(whole.rows.length);
    expect(ids(duplicated).size / ids(whole).size).toBeCloseTo(0.91, 1);
  });
});
