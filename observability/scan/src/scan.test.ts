// SPDX-License-Identifier: Apache-2.0
import { afterAll, describe, expect, test } from 'vitest';
import type { ScanProgress, ScanRequest, ScanResult } from './scan.ts';
import { rule, scannedFiles, withoutOrder } from './testing/scanned-files.ts';

const files = await scannedFiles();
const { csv, ndjson, parquet, scan } = files;
afterAll(() => files[Symbol.asyncDispose]());

/** `METRIC.aggregation` to the value, for one attribute of the whole or of a segment. */
function metrics(
  { metrics: points }: ScanResult,
  attribute: string | null,
  segment: string | null = null,
): { readonly [name: string]: number | null } {
  return Object.fromEntries(
    points
      .filter((point) => point.attribute === attribute && point.segment === segment)
      .map(({ metric_name, metric_aggregation, value }) => [`${metric_name}.${metric_aggregation}`, value]),
  );
}

describe('rows that cannot be read', () => {
  test('are counted and sampled, and the others are measured', async () => {
    const result = await scan(await csv('id,name\n1,a\n2\n3,c,d\n4,e\n"5,f'), ['id', 'name']);
    expect(result.recordsScanned).toBe(2);
    expect(result.rejectedRows).toBe(3);
    expect(result.samples.map(({ row }) => row.text)).toEqual(['line 3: 2', 'line 4: 3,c,d', 'line 6: "5,f']);
    expect(new Set(result.samples.map(({ monitor_id }) => monitor_id))).toEqual(new Set(['REJECTED_ROWS_VIOLATION']));
    expect(metrics(result, 'id')).toMatchObject({ 'MIN.min': 1, 'MAX.max': 4 });
  });

  test('are counted once where a late fraction has the file read again', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => `${index}`);
    const result = await scan(await csv(`n\n${rows.join('\n')}\n1,2\n0.5\n`), ['n']);
    expect([result.recordsScanned, result.rejectedRows]).toEqual([50_001, 1]);
    expect(result.columns).toMatchObject([{ name: 'n', data_type: 'DECIMAL' }]);
  });

  test('leave a file without a header its columns', async () => {
    expect(metrics(await scan(await csv('1,a\n2,b\n'), ['column0']), 'column0')).toMatchObject({ 'MAX.max': 2 });
  });

  test('of NDJSON are lines that hold no object', async () => {
    const source = await ndjson('{"a":1}\nnot json\n\n[2]\n{"a":3,"b":{"c":[1]}}\n');
    const result = await scan(source, ['a', 'b']);
    expect([result.recordsScanned, result.rejectedRows]).toEqual([2, 2]);
    expect(result.samples.map(({ row }) => row.text)).toEqual(['not json', '[2]']);
    expect(metrics(result, 'a')).toMatchObject({ 'MEAN.mean': 2 });
    expect(metrics(result, 'b')).toMatchObject({ 'TOP_VALUE.{"c":[1]}': 1, 'NULL_PERCENTAGE.ratio': 50 });
  });
});

test('a value that contradicts all before it does not fit its column, which stays one of numbers', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `${index}`);
  const result = await scan(await csv(`n\n${rows.join('\n')}\nn/a\n`), ['n']);
  expect([result.recordsScanned, result.rejectedRows]).toEqual([100_001, 0]);
  expect(result.columns).toEqual([{ name: 'n', source_type: 'BIGINT', data_type: 'INTEGER' }]);
  expect(metrics(result, 'n')).toMatchObject({ 'DISTINCT_COUNT.count': 100_000, 'TYPE_MISMATCH.count': 1 });
  expect(result.samples.map(({ row }) => row)).toEqual([{ n: 'n/a' }]);
});

test('integers beyond 2^53 are told apart', async () => {
  const result = await scan(
    await csv('n\n9007199254740993\n9007199254740992\n123456789012345678901234567890\n123456789012345678901234567891\n'),
    ['n'],
  );
  expect(metrics(result, 'n')).toMatchObject({ 'DISTINCT_COUNT.count': 4, 'TOP_VALUE.123456789012345678901234567891': 1 });
});

test('personal data is found in columns of few texts, behind what is shown of a long one, and in one of many texts', async () => {
  const texts = {
    mail: 'a@b.co',
    address: '8.8.8.8',
    number: '123-45-6789',
    phone: '+442079460958',
    zip: 'CA 90210',
    card: '4111111111111111',
    long: `${'x'.repeat(300)} a@b.co`,
    name: 'Ann',
  };
  const names = Object.keys(texts);
  const found = await scan(await csv(`${names.join()}\n${Object.values(texts).join()}\n${names.map(() => 'none').join()}\n`), names);
  const shares = names.map((name) => metrics(found, name)['CONTAINS_PII.ratio']);
  expect(shares).toEqual([50, 50, 50, 50, 50, 50, 50, 0]);
  // One of so many that not all are listed.
  const many = Array.from({ length: 49 }, (_, index) => `name${index}`);
  expect(metrics(await scan(await csv(`v\n${many.join('\n')}\nz@b.co\n`), ['v']), 'v')).toMatchObject({ 'CONTAINS_PII.ratio': 2 });
});

test('an empty table has no records and no shares', async () => {
  for (const source of [await csv('id,name\n'), await parquet('SELECT 1 AS id, 2 AS name WHERE false')]) {
    const result = await scan(source, ['id', 'name'], { options: { segments: { id: ['1'] } } });
    expect(metrics(result, null)).toMatchObject({ 'RECORD_COUNT.count': 0, 'COMPLETENESS.ratio': null });
    expect(metrics(result, null, 'id=1')).toEqual({ 'RECORD_COUNT.count': 0 });
    expect(metrics(result, 'id')).toMatchObject({ 'DISTINCT_COUNT.count': 0, 'UNIQUENESS.ratio': null });
  }
});

test('numbers that are not finite are values, but not part of the statistics', async () => {
  const source = await parquet("SELECT unnest([1.0, 3.0, 'NaN'::DOUBLE, 'Infinity'::DOUBLE, '-Infinity'::DOUBLE, 1e308, -1e308]) AS x");
  expect(metrics(await scan(source, ['x']), 'x')).toMatchObject({
    'DISTINCT_COUNT.count': 7,
    'MIN.min': -1e308,
    'MAX.max': 1e308,
    'MEDIAN.median': 2,
    // The sum of such squares is beyond all doubles.
    'STDDEV.stddev': null,
  });
});

test('a number has one name and one zero, and a segment has its rows by the number', async () => {
  const source = await parquet(
    "SELECT unnest([1e16, 1e16, 1e16, 0.00001, 0.00001, '-0'::DOUBLE, 0.0, 'NaN'::DOUBLE, '-Infinity'::DOUBLE, NULL]) AS x, unnest([0.1::FLOAT, 0.1::FLOAT]) AS f",
  );
  const found = await scan(source, ['x', 'f'], {
    options: { segments: { x: ['10000000000000000', '1e-5', '0', 'NaN', 'no number'], f: ['0.1'] }, empty_values: ['NaN', ''] },
  });
  expect(metrics(found, 'x')).toMatchObject({
    'DISTINCT_COUNT.count': 5,
    'TOP_VALUE.10000000000000000': 3,
    'TOP_VALUE.0.00001': 2,
    'TOP_VALUE.0': 2,
    'TOP_VALUE.NaN': 1,
    'TOP_VALUE.-Infinity': 1,
    'EMPTY_PERCENTAGE.ratio': 10,
  });
  expect(metrics(found, 'f')).toMatchObject({ 'TOP_VALUE.0.1': 2 });
  const records = (segment: string) => metrics(found, null, segment)['RECORD_COUNT.count'];
  expect(['x=10000000000000000', 'x=1e-5', 'x=0', 'x=NaN', 'x=no number', 'f=0.1'].map(records)).toEqual([3, 2, 2, 1, 0, 2]);
});

test('days beyond all timestamps and times before the first year are measured', async () => {
  const source = await parquet(
    "SELECT unnest([DATE '5000000-01-01', DATE '0044-03-15 (BC)', DATE '2024-01-01']) AS day, unnest([TIMESTAMP '0044-03-15 (BC) 10:00:00', NULL, NULL]) AS at",
  );
  const found = await scan(source, ['day', 'at'], { options: { timestamp_attribute: 'day' } });
  expect(metrics(found, 'day')).toMatchObject({ 'MAX.max': 157_722_592_780_800_000, 'TOP_VALUE.0044-03-15 BC': 1 });
  expect(metrics(found, 'at')).toMatchObject({ 'TOP_VALUE.0044-03-15 10:00:00 BC': 1 });
});

describe('two scans of the same rows find the same', () => {
  const table = (
    rows: number,
  ): string => `SELECT i AS id, hash(i) % 1000 / 7.0 AS amount, TIMESTAMP '2024-01-01' + to_seconds(CAST(hash(i) % 100000000 AS BIGINT)) AS at,
    'user ' || hash(i) AS mail FROM range(${rows}) AS r(i)`;
  const NAMES = ['id', 'amount', 'at', 'mail'];

  test.each([
    ['of all rows', table(6000), {}],
    ['of a sample', table(6000), { sample_fraction: 30 }],
    ['of a sample by its id', table(6000), { sample_fraction: 30, id_attributes: ['id'] }],
    ['of a limited number', table(6000), { limit: 3600 }],
  ])('%s', async (_, rows, options) => {
    const monitors = [rule('1', 'VALIDATE amount EXPECT NUMERIC_VALUE > 10')];
    const changes = { options, monitors };
    const first = await scan(await parquet(rows), NAMES, changes);
    const second = await scan(await parquet(`SELECT * FROM (${rows}) ORDER BY hash(id)`), NAMES, changes);
    expect(withoutOrder(second)).toEqual(withoutOrder(first));
    expect(first.metrics.some(({ metric_name }) => metric_name === 'PATTERN')).toBe(true);
  });

  test('and another asset has another sample', async () => {
    const sampled = async (seed: string) =>
      (await scan(await parquet(table(5000)), ['id'], { seed, options: { sample_fraction: 1 } })).recordsScanned;
    expect(new Set([await sampled('one'), await sampled('another'), await sampled('a third')]).size).toBeGreaterThan(1);
  });
});

test('nested values, blobs and dates without end do not stop a scan', async () => {
  const source = await parquet(
    "SELECT {'a': [1, 2]} AS s, MAP {'k': 1} AS m, 'ab'::BLOB AS b, DATE 'infinity' AS d, TIME '01:02:03' AS t, uuid() AS u",
  );
  const result = await scan(source, ['s', 'm', 'b', 'd', 't', 'u']);
  expect(result.failures).toEqual([]);
  expect(metrics(result, 's')).toMatchObject({ 'TOP_VALUE.{"a":[1,2]}': 1 });
  expect(metrics(result, 'd')).toMatchObject({ 'MAX.max': null, 'COMPLETENESS.ratio': 100 });
});

describe('what is read', () => {
  const ROWS = 'id,kind,at\n1,a,2025-01-01 00:00:00\n2,b,2025-01-02 00:00:00\n3,,2025-01-03 00:00:00\n4,a,2025-01-04 00:00:00\n';

  test('a filter keeps the listed values, and null where it is listed', async () => {
    const result = await scan(await csv(ROWS), ['id'], { options: { filter: { kind: ['b', '__null__'] } } });
    expect(metrics(result, 'id')).toMatchObject({ 'MIN.min': 2, 'MAX.max': 3 });
  });

  test('a limit and a sample bound the records', async () => {
    expect((await scan(await csv(ROWS), ['id'], { options: { limit: 3 } })).recordsScanned).toBe(3);
    const many = await csv(`id\n${Array.from({ length: 20_000 }, (_, id) => id).join('\n')}\n`);
    const { recordsScanned } = await scan(many, ['id'], { options: { sample_fraction: 25 } });
    expect(recordsScanned).toBeGreaterThan(4_000);
    expect(recordsScanned).toBeLessThan(6_000);
  });

  test('a delta scan reads what is newer than the scan before', async () => {
    const options = { delta_only: 'true', timestamp_attribute: 'at' } as const;
    const first = await scan(await csv(ROWS), ['id'], { options });
    expect(first.recordsScanned).toBe(4);
    expect(metrics(first, 'at')).toEqual({ 'FRESHNESS.min': 362 * 24 });
    const second = await scan(await csv(`${ROWS}5,c,2025-01-05 00:00:00\n`), ['id'], { options, previous: first.memory });
    expect(metrics(second, 'id')).toMatchObject({ 'MIN.min': 5, 'MAX.max': 5 });
    const third = await scan(await csv(ROWS), ['id'], { options, previous: second.memory });
    expect([third.recordsScanned, third.memory.watermark]).toEqual([0, second.memory.watermark]);
  });

  test('columns that came, went or changed their type are reported', async () => {
    const { memory } = await scan(await parquet('SELECT 1 AS a, 2 AS b'), ['a']);
    const result = await scan(await parquet("SELECT 'x' AS a, 2 AS c"), ['a'], { previous: memory });
    expect(result.schemaChanges).toEqual([
      { kind: 'RETYPED', attribute: 'a', before: 'INTEGER', after: 'VARCHAR' },
      { kind: 'ADDED', attribute: 'c', before: null, after: 'INTEGER' },
      { kind: 'REMOVED', attribute: 'b', before: 'INTEGER', after: null },
    ]);
    expect(metrics(result, null)).toMatchObject({ 'SCHEMA.count': 3 });
  });
});

describe('types stick', () => {
  test('to what they were: a value that does not fit is counted, sampled, and no change of the schema', async () => {
    const { memory } = await scan(await csv('a,b\n1,x\n2,y\n'), ['a', 'b']);
    const result = await scan(await csv('a,b\nten,true\n3,false\n,true\n'), ['a', 'b'], { previous: memory });
    expect(result.schemaChanges).toEqual([]);
    expect(result.columns.map(({ data_type }) => data_type)).toEqual(['INTEGER', 'STRING']);
    expect(metrics(result, 'a')).toMatchObject({ 'TYPE_MISMATCH.count': 1, 'MAX.max': 3, 'DISTINCT_COUNT.count': 1 });
    expect(metrics(result, 'b')).toMatchObject({ 'TOP_VALUE.true': 2 });
    expect(result.samples).toMatchObject([
      { monitor_id: 'TYPE_MISMATCH_VIOLATION', row: { a: 'ten' }, reason: 'The value does not fit the type of its column, BIGINT' },
    ]);
  });

  test('to what people chose, also in JSON', async () => {
    const options = { reading: { types: { code: 'STRING', n: 'INTEGER' } } } as const;
    const text = await csv('code,n\n1,1\n2,x\n', options.reading);
    const json = await ndjson('{"code":1,"n":"1"}\n{"code":2,"n":"x"}\n', options.reading);
    for (const source of [text, json]) {
      const result = await scan(source, ['code', 'n'], { options });
      expect(result.columns.map(({ data_type }) => data_type)).toEqual(['STRING', 'INTEGER']);
      expect(metrics(result, 'n')).toMatchObject({ 'TYPE_MISMATCH.count': 1, 'TYPE_MISMATCH.ratio': 50, 'MAX.max': 1 });
      expect(metrics(result, 'code')).toMatchObject({ 'LENGTH.mean': 1 });
    }
  });
});

describe('rules and metrics of users', () => {
  const PEOPLE = 'id,mail,age\n1,ann@example.com,30\n2,bob@example.com,-5\n3,,200\n3,dan@example.com,40\n';
  const metric = (id: string, expression: string): ScanRequest['monitors'][number] => ({
    id,
    type: 'METRIC',
    name: id,
    monitor: { expression, options: { ignore_nulls: true }, raw_sql: false },
  });

  test('are measured beside the profile; one that cannot be is reported and costs nothing else', async () => {
    const result = await scan(await csv(PEOPLE), ['id', 'mail', 'age'], {
      options: { id_attributes: ['id'] },
      monitors: [
        rule('1', 'VALIDATE age EXPECT NUMERIC_VALUE IN_RANGE (0, 120)'),
        rule('2', 'VALIDATE id EXPECT FREQUENCY = 1'),
        rule('3', 'VALIDATE nowhere EXPECT IS_NUMBER'),
        metric('4', 'sum(`age`) / count(`id`)'),
        metric('5', 'count(`id`) group by `id`'),
      ],
    });
    expect(result.failures.map(({ monitor_id }) => monitor_id)).toEqual(['3']);
    const of = (id: string): unknown =>
      result.metrics.filter(({ monitor_id }) => monitor_id === id).map(({ metric_name, segment, value }) => [metric_name, segment, value]);
    expect(of('1')).toEqual([['CORRECTNESS', null, 50]]);
    expect(of('2')).toEqual([['CORRECTNESS', null, 50]]);
    expect(result.ruleCounts).toEqual([
      { monitor_id: '1', checked: 4, failed: 2 },
      { monitor_id: '2', checked: 4, failed: 2 },
    ]);
    expect(of('4')).toEqual([['CUSTOM', null, 66.25]]);
    expect(of('5')).toEqual(expect.arrayContaining([['CUSTOM', 'id=3', 2]]));
    expect(metrics(result, null)).toMatchObject({ 'UNIQUENESS.ratio': 50, 'DUPLICATE_COUNT.count': 1 });
    expect(result.samples.filter(({ monitor_id }) => monitor_id === '1').map(({ record_id, row }) => [record_id, row.age])).toEqual(
      expect.arrayContaining([
        ['2', '-5'],
        ['3', '200'],
      ]),
    );
  });

  test('that ignore nulls count only the records that they speak of', async () => {
    const { ruleCounts } = await scan(await csv('id,age\n1,10\n2,\n3,-1\n4,200\n5,\n'), ['age'], {
      options: { segments: { id: ['3'] } },
      monitors: [rule('1', 'VALIDATE age EXPECT NUMERIC_VALUE IN_RANGE (0, 120)', { ignore_nulls: true })],
    });
    expect(ruleCounts).toEqual([{ monitor_id: '1', checked: 3, failed: 2 }]);
  });

  test('failed rows are shown with personal data masked, at most 100 of them', async () => {
    const rows = Array.from({ length: 150 }, (_, id) => `${id},person${id}@example.com`).join('\n');
    const { samples } = await scan(await csv(`id,mail\n${rows}\n`), ['mail'], {
      options: { id_attributes: ['id'] },
      monitors: [rule('1', 'VALIDATE mail EXPECT NOT IS_EMAIL')],
    });
    expect(samples).toHaveLength(100);
    expect(JSON.stringify(samples)).not.toContain('@example.com');
  });
});

describe('options that measure less', () => {
  const TEXT = 'id,day,age\n1,2026-01-01,5\n2,2026-01-02,-5\n3,2026-01-03,x\n4,1,2,3\n';
  const options = { id_attributes: ['id'], timestamp_attribute: 'day' };
  const monitors = [rule('1', 'VALIDATE age EXPECT NUMERIC_VALUE > 0')];
  const previous = { columns: [{ name: 'id', source_type: 'BIGINT', data_type: 'INTEGER' }], watermark: null } as const;
  const namesOf = (result: ScanResult) => [...new Set(result.metrics.map(({ metric_name }) => metric_name))].toSorted();

  test('a light scan measures the schema, counts and freshness, and nothing of values', async () => {
    const light = { options: { ...options, only_light_scan: 'true' }, monitors, previous } as const;
    const result = await scan(await csv(TEXT), ['id', 'day', 'age'], light);
    expect(namesOf(result)).toEqual(['FRESHNESS', 'RECORD_COUNT', 'REJECTED_ROWS', 'SCHEMA', 'TYPE_MISMATCH']);
    expect(result).toMatchObject({ recordsScanned: 3, rejectedRows: 1, ruleCounts: [], failures: [] });
    expect(result.schemaChanges.map(({ kind, attribute }) => [kind, attribute])).toEqual([
      ['ADDED', 'day'],
      ['ADDED', 'age'],
    ]);
    expect(namesOf(await scan(await csv(TEXT), ['age'], { options, monitors }))).toEqual(
      expect.arrayContaining(['CORRECTNESS', 'COMPLETENESS']),
    );
  });

  test('without the investigator everything is measured, and no row is kept', async () => {
    const [kept, skipped] = [
      await scan(await csv(TEXT), ['age'], { options, monitors }),
      await scan(await csv(TEXT), ['age'], { options: { ...options, skip_investigator: 'true' }, monitors }),
    ];
    expect([kept.samples.length > 0, skipped.samples]).toEqual([true, []]);
    expect(skipped.metrics).toEqual(kept.metrics);
    expect(skipped.ruleCounts).toEqual(kept.ruleCounts);
  });
});

test('progress is reported while a scan runs and ends at one', async () => {
  const progress: ScanProgress[] = [];
  await scan(await csv('a,b\n1,2\n'), ['a', 'b'], {}, progress);
  const fractions = progress.filter(({ phase }) => phase === 'measuring').map(({ fraction }) => fraction ?? 0);
  expect(fractions.at(-1)).toBe(1);
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
});
