// SPDX-License-Identifier: Apache-2.0
/** What every engine must find: the numbers of a scan are those of an independent computation. */

import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { OpenedSource } from '@sextant/observability-connectors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScanMemory, ScanRequest, ScanResult } from './scan.ts';
import { scanOnThread } from './testing/engine-on-thread.ts';
import { expectedProfile, type Profile, profileKey } from './testing/expected-profile.ts';
import { type Table, TEXT, tables } from './testing/table-arbitraries.ts';
import { testLimits } from './testing/test-limits.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

export type SourceOfTable = (table: Table, directory: string) => Promise<OpenedSource>;

/** A request for a profile of all columns. */
export function profileRequest(source: OpenedSource, names: readonly string[], changes: Partial<ScanRequest> = {}): ScanRequest {
  return {
    source,
    options: {},
    attributes: names.map((name) => ({ name, data_type: 'OTHER', monitored: true })),
    monitors: [],
    nowMs: NOW_MS,
    seed: 'an asset',
    ...changes,
  };
}

const INTEGER = { type: 'INTEGER', duckdbType: 'BIGINT', postgresqlType: 'bigint' } as const;
const DECIMAL = { type: 'DECIMAL', duckdbType: 'DOUBLE', postgresqlType: 'double precision' } as const;
const STRING = { type: 'STRING', duckdbType: 'VARCHAR', postgresqlType: 'text' } as const;

function columnsOf(types: { readonly [name: string]: Omit<Table['columns'][number], 'name'> }): Table['columns'] {
  return Object.entries(types).map(([name, type]) => ({ name, ...type }));
}

const NOT_NEGATIVE = {
  id: '1',
  type: 'RULE',
  name: 'not negative',
  monitor: {
    expression: 'VALIDATE amount EXPECT NUMERIC_VALUE >= 0',
    options: { ignore_nulls: false, empty_values: [] },
    variables: [],
  },
} as const;

/** Scans a table of its own; a profile of all columns unless the changes say otherwise. */
async function scanned(open: SourceOfTable, table: Table, changes: Partial<ScanRequest> = {}): Promise<ScanResult> {
  await using directory = await temporaryDirectory();
  await using source = await open(table, directory.path);
  const names = table.columns.map(({ name }) => name);
  return await scanOnThread(profileRequest(source, names, changes), {
    limits: testLimits(directory.path),
    clock: systemClock,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

export function checkScans(
  name: string,
  { letters, runs, open }: { readonly letters: 'ascii' | 'all'; readonly runs: number; readonly open: SourceOfTable },
): void {
  test(`a scan of ${name} finds what a computation in plain TypeScript finds`, async () => {
    await fc.assert(
      fc.asyncProperty(tables(letters), async (table) => {
        const segments = { flag: ['true', '__null__'], [TEXT]: ['w first', 'not there'] };
        const result = await scanned(open, table, { options: { segments } });
        const mismatches = result.metrics.filter(({ metric_name }) => metric_name === 'TYPE_MISMATCH');
        expect(mismatches.filter(({ value }) => value !== 0)).toEqual([]);
        const found: Profile = new Map(
          result.metrics
            .filter((point) => !mismatches.includes(point))
            .map((point) => [profileKey(point.metric_name, point.metric_aggregation, point.attribute, point.segment), point.value]),
        );
        expectSameProfile(found, expectedProfile(table, segments));
        expect(result.columns.map((column) => [column.name, isNumeric(column.data_type)])).toEqual(
          table.columns.map((column) => [column.name, isNumeric(column.type)]),
        );
        expect(result.failures).toEqual([]);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
}

/** Rows that fail a rule are shown whole, and the values that they have in common are found, by exact counts. */
export function checkExplanations(name: string, open: SourceOfTable): void {
  test(`the rows of ${name} that fail a rule are shown whole, and what they have in common is counted`, async () => {
    const columns = columnsOf({ id: INTEGER, amount: DECIMAL, country: STRING, channel: STRING });
    // Every tenth row is Italian, and every Italian amount is negative; channels alternate.
    const rows = Array.from({ length: 1000 }, (_, id) => [
      String(id),
      id % 10 === 0 ? '-1.5' : '2.5',
      id % 10 === 0 ? 'IT' : id % 3 === 0 ? null : 'DE',
      id % 2 === 0 ? 'web' : 'shop',
    ]);
    const changes = { options: { id_attributes: ['id'] }, monitors: [NOT_NEGATIVE] };
    const { ruleCounts, samples } = await scanned(open, { columns, rows }, changes);
    expect(ruleCounts).toEqual([
      {
        monitor_id: '1',
        checked: 1000,
        failed: 100,
        segments: [
          { attribute: 'country', value: 'IT', checked: 100, failed: 100, lift: 10 },
          { attribute: 'channel', value: 'web', checked: 500, failed: 100, lift: 2 },
        ],
      },
    ]);
    expect(samples).toHaveLength(100);
    expect(Object.keys(samples[0]?.row ?? {})).toEqual(['id', 'amount', 'country', 'channel']);
    expect(new Set(samples.map(({ row }) => row.country))).toEqual(new Set(['IT']));
    expect(samples.every(({ record_id, row }) => record_id === row.id)).toBe(true);
  });
}

/** Rows that fail for three values at once are explained by all three, and by none of them alone. */
export function checkCombinations(name: string, open: SourceOfTable, { salts = [1] }: { readonly salts?: readonly number[] } = {}): void {
  const columns = columnsOf({ amount: DECIMAL, country: STRING, channel: STRING, version: INTEGER, color: STRING });
  const valuesOf = (id: number) => ({
    country: ['IT', 'DE', "F'R", null, ''][id % 5] ?? null,
    channel: ['web', 'shop'][Math.floor(id / 5) % 2] ?? null,
    version: ['1', '2', '3', '4'][Math.floor(id / 10) % 4] ?? null,
    color: ['red', 'green', 'blue'][Math.floor(id / 40) % 3] ?? null,
  });
  type Values = ReturnType<typeof valuesOf>;
  const segmentsOf = async (fails: (values: Values, id: number) => boolean) => {
    const rows = Array.from({ length: 1200 }, (_, id) => {
      const values = valuesOf(id);
      return [fails(values, id) ? '-1.5' : '2.5', values.country, values.channel, values.version, values.color];
    });
    const { ruleCounts, omissions } = await scanned(open, { columns, rows }, { monitors: [NOT_NEGATIVE] });
    expect(omissions).toEqual([]);
    return ruleCounts[0]?.segments ?? [];
  };
  /** The order of parts is by how much each tells. */
  const conditions = (segments: Awaited<ReturnType<typeof segmentsOf>>) =>
    segments.map(({ attribute, value, also = [] }) =>
      [{ attribute, value }, ...also].map((part) => `${part.attribute}=${part.value}`).sort(),
    );

  test(`rows of ${name} that fail for three values at once are explained by all three`, async () => {
    // Every 37th row fails for no reason.
    const segments = await segmentsOf(
      ({ country, channel, version }, id) => id % 37 === 0 || (country === 'IT' && channel === 'web' && version === '2'),
    );
    const failed = Array.from({ length: 1200 }, (_, id) => id).filter((id) => id % 37 === 0 || id % 40 === 10);
    expect(conditions(segments)).toEqual([['channel=web', 'country=IT', 'version=2']]);
    expect(segments).toMatchObject([{ checked: 30, failed: 30, lift: expect.closeTo(30 / ((30 * failed.length) / 1200)) }]);
  });

  test(`rows of ${name} that fail where a value is missing are explained by that, and with signs in values`, async () => {
    const nulls = await segmentsOf(({ country, channel }) => country === null && channel === 'shop');
    expect(conditions(nulls)).toEqual([['channel=shop', 'country=null']]);
    const quoted = await segmentsOf(({ country, color }) => country === "F'R" && color === 'red');
    expect(conditions(quoted)).toEqual([['color=red', "country=F'R"]]);
    expect(quoted).toMatchObject([{ checked: 80, failed: 80, lift: 15 }]);
  });

  test(`rows of ${name} that fail at random are explained by nothing`, async () => {
    for (const salt of salts) {
      // The high bits of a product with the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
      expect(await segmentsOf((_, id) => Math.imul(id * 7 + salt, 0x9e3779b1) >>> 0 < 2 ** 32 / 12)).toEqual([]);
    }
  });
}

/** What changed since the scan before is explained by the rows that changed it. */
export function checkSegmentMoves(name: string, open: SourceOfTable): void {
  test(`a change of completeness or of a mean of ${name} is explained by the rows that made it`, async () => {
    const columns = columnsOf({ amount: DECIMAL, mail: STRING, country: STRING, channel: STRING });
    const scannedAs = (rowOf: (id: number) => readonly (string | null)[], changes?: Partial<ScanRequest>) =>
      scanned(open, { columns, rows: Array.from({ length: 1000 }, (_, id) => rowOf(id)) }, changes);
    const countryOf = (id: number) => (id % 10 === 0 ? null : id % 10 === 1 ? 'IT' : 'DE');
    const fine = (id: number) => ['2.5', 'a@b', countryOf(id), id % 2 === 0 ? 'web' : 'shop'];
    const first = await scannedAs(fine);
    expect(first.segmentMoves).toEqual([]);
    // As the store keeps it.
    const previous: ScanMemory = JSON.parse(JSON.stringify(first.memory));
    expect((await scannedAs(fine, { previous })).segmentMoves).toEqual([]);
    const { segmentMoves } = await scannedAs(
      (id) => {
        const [amount, mail, ...others] = fine(id);
        // Of Italian rows the amounts are in another unit, and mails of those without a country are gone: empty ones and nulls.
        return [id % 10 === 1 ? '250.5' : (amount ?? null), id % 10 !== 0 ? (mail ?? null) : id % 20 === 0 ? '' : null, ...others];
      },
      { previous },
    );
    const [mean, completeness] = ['MEAN', 'COMPLETENESS'].map((measure) => segmentMoves.filter((move) => move.measure === measure));
    const rows = { rows_before: 100, rows_after: 100, attribute: 'country', share: expect.closeTo(1) };
    expect(mean).toEqual([
      {
        attribute: 'amount',
        measure: 'MEAN',
        before: expect.closeTo(2.5),
        after: expect.closeTo(27.3),
        segments: [
          { ...rows, value: 'IT', before: expect.closeTo(2.5), after: expect.closeTo(250.5) },
          {
            ...rows,
            attribute: 'channel',
            value: 'shop',
            rows_before: 500,
            rows_after: 500,
            before: expect.closeTo(2.5),
            after: expect.closeTo(52.1),
          },
        ],
      },
    ]);
    expect(completeness).toEqual([
      {
        attribute: 'mail',
        measure: 'COMPLETENESS',
        before: 100,
        after: 90,
        segments: [
          { ...rows, value: null, before: 100, after: 0 },
          { ...rows, attribute: 'channel', value: 'web', rows_before: 500, rows_after: 500, before: 100, after: 80 },
        ],
      },
    ]);
  });
}

/** What changed of rows that have three values at once is explained by all three. */
export function checkCombinedMoves(name: string, open: SourceOfTable): void {
  test(`rows of ${name} that have three values at once and changed are explained by all three`, async () => {
    const columns = columnsOf({ amount: DECIMAL, mail: STRING, country: STRING, channel: STRING, version: INTEGER });
    const usual = Array.from({ length: 1200 }, (_, id) => [
      '2.5',
      'a@b',
      ['IT', 'DE', "F'R", 'ES', null][id % 5] ?? null,
      ['web', 'shop'][Math.floor(id / 5) % 2] ?? null,
      ['1', '2', '3', '4'][Math.floor(id / 10) % 4] ?? null,
    ]);
    const isHit = ([, , ...values]: readonly (string | null)[]) => values.join() === 'IT,web,2';
    const first = await scanned(open, { columns, rows: usual });
    // As the store keeps it.
    const previous: ScanMemory = JSON.parse(JSON.stringify(first.memory));
    const movesOf = async (rows: typeof usual) => {
      const { segmentMoves, omissions } = await scanned(open, { columns, rows }, { previous });
      expect(omissions).toEqual([]);
      return segmentMoves;
    };
    const explanationOf = (segmentMoves: Awaited<ReturnType<typeof movesOf>>, of: string, attribute: string | null) =>
      segmentMoves
        .filter((move) => move.measure === of && move.attribute === attribute)
        .map(({ before, after, segments }) => ({
          before,
          after,
          segments: segments.map(({ attribute: by, value, also = [], ...figures }) => ({
            conditions: [`${by}=${value}`, ...also.map((part) => `${part.attribute}=${part.value}`)].sort(),
            ...figures,
          })),
        }));
    const conditions = ['channel=web', 'country=IT', 'version=2'];
    const rows = { rows_before: 30, rows_after: 30, share: expect.closeTo(1) };
    const missing = usual.filter((row) => !isHit(row));
    expect(explanationOf(await movesOf(missing), 'VOLUME', null)).toEqual([
      { before: 1200, after: 1170, segments: [{ conditions, before: 30, after: 0 }] },
    ]);
    const moves = await movesOf(usual.map((row) => (isHit(row) ? row.with(1, null).with(0, '250.5') : row)));
    expect(explanationOf(moves, 'VOLUME', null)).toEqual([]);
    expect(explanationOf(moves, 'COMPLETENESS', 'mail')).toEqual([
      { before: 100, after: 97.5, segments: [{ conditions, before: 100, after: 0, ...rows }] },
    ]);
    expect(explanationOf(moves, 'MEAN', 'amount')).toEqual([
      {
        before: expect.closeTo(2.5),
        after: expect.closeTo(8.7),
        segments: [{ conditions, before: expect.closeTo(2.5), after: expect.closeTo(250.5), ...rows }],
      },
    ]);
  });
}

/** A column of fractions that are all whole may be read as integers. */
function isNumeric(type: string): string {
  return type === 'INTEGER' || type === 'DECIMAL' ? 'number' : type;
}

function expectSameProfile(found: Profile, expected: Profile): void {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  const different = [...expected]
    .filter(([key, value]) => !isClose(found.get(key) ?? null, value))
    .map(([key, value]) => ({ key, value, found: found.get(key) }));
  expect(different).toEqual([]);
}

/** Sums of doubles differ with the order of their terms; sums of the largest values may cancel out. */
function isClose(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b;
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)) || (Math.abs(a) > 1e15 && Math.abs(a - b) <= 1e-6 * Math.abs(a));
}

/** What keeps a metric from having a value is reported, with the record that has it. */
export function checkMetricFaults(name: string, open: SourceOfTable): void {
  test(`a metric of ${name} that has no value says what of it is at fault, and in which record`, async () => {
    const columns = columnsOf({ id: INTEGER, amount: DECIMAL, zero: DECIMAL, huge: DECIMAL, lone: DECIMAL, note: STRING });
    const rows = ['1', '2', '3', '4'].map((id) => [id, '2.5', '0', id === '3' ? '1e200' : '1', id === '1' ? '7' : null, `n${id}`]);
    const faults = [
      ['sum(amount) / (count(amount) - 4)', 'its divisor count(amount) - 4 is 0'],
      ['avg(amount / zero)', 'avg(amount / zero) has no value: in the record with the id 1, its divisor zero is 0'],
      ['max(amount % zero)', 'in the record with the id 1, its divisor zero is 0'],
      ['max(huge * huge)', 'in the record with the id 3, huge * huge is beyond the range of numbers'],
      ['max(huge / 1e-300)', 'in the record with the id 3, huge / 1e-300 is beyond the range of numbers'],
      ['power(max(huge), 400)', 'power(max(huge), 400) is no number or beyond the range of numbers'],
      ['min(ln(zero))', 'in the record with the id 1, ln(zero) is the logarithm of a number that is not positive'],
      ['avg(CAST(note AS DOUBLE))', 'in the record with the id 1, note is "n1", which is no number'],
      ['stddev(lone)', 'stddev(lone) has no value: it takes 2 values of lone, and there is 1'],
      ["max(CASE WHEN note = 'none' THEN amount END)", 'none of the 4 records has a value of CASE … END'],
    ] as const;
    const monitors = faults.map(([expression], index) => ({
      id: String(index),
      type: 'METRIC' as const,
      name: expression,
      monitor: { expression, options: { ignore_nulls: true }, raw_sql: false },
    }));
    const grouped = { expression: 'sum(amount) / (count(lone) - 1) GROUP BY note', options: { ignore_nulls: true }, raw_sql: false };
    const { failures, valueless } = await scanned(
      open,
      { columns, rows },
      {
        options: { id_attributes: ['id'] },
        attributes: [],
        monitors: [...monitors, { id: 'g', type: 'METRIC', name: 'g', monitor: grouped } as const],
      },
    );
    const reasonsOf = (id: string) => [...failures, ...valueless].filter(({ monitor_id }) => monitor_id === id).map(({ reason }) => reason);
    for (const [index, [, reason]] of faults.entries()) expect(reasonsOf(String(index))).toEqual([expect.stringContaining(reason)]);
    expect(valueless.filter(({ monitor_id }) => monitor_id === 'g')).toEqual([
      { monitor_id: 'g', segment: 'note=n1', reason: 'its divisor count(lone) - 1 is 0' },
    ]);
  });
}
