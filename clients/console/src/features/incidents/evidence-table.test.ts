// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { evidenceTable } from './evidence-table.ts';

test('what failed rows have in common is shown with both shares and exact counts', () => {
  const segments = [
    { attribute: 'country', value: 'IT', checked: 500, failed: 480, lift: 20 },
    { attribute: 'channel', value: null, checked: 1000, failed: 60, lift: 1.25 },
  ];
  const table = evidenceTable({ kind: 'RULE', rule: 'r', attribute: 'a', checked: 10_000, failed: 480, segments });
  expect(table?.rows).toEqual([
    ['country = IT', '480 of 500', '100 %', '5 %', '20×'],
    ['channel = (null)', '60 of 1,000', '12.5 %', '10 %', '1.25×'],
  ]);
  expect(evidenceTable({ kind: 'RULE', rule: 'r', attribute: 'a', checked: 10, failed: 4, segments: [] })).toBeUndefined();
});

test('a combination is shown with all its values, wherever one value is', () => {
  const also = [
    { attribute: 'channel', value: 'web' },
    { attribute: 'version', value: null },
  ];
  const name = 'country = IT and channel = web and version = (null)';
  const part = { attribute: 'country', value: 'IT', also };
  const failed = { ...part, checked: 50, failed: 48, lift: 20 };
  const tables = [
    evidenceTable({ kind: 'RULE', rule: 'r', attribute: 'a', checked: 1000, failed: 48, segments: [failed] }),
    evidenceTable({ kind: 'VOLUME', attribute: null, before: 100, after: 50, segments: [{ ...part, before: 50, after: 0 }] }),
    evidenceTable({
      kind: 'SEGMENTS',
      attribute: 'a',
      measure: 'MEAN',
      before: 1,
      after: 2,
      segments: [{ ...part, rows_before: 9, rows_after: 9, before: 1, after: 3, share: 1 }],
    }),
  ];
  expect(tables.map((table) => table?.rows.map(([shown]) => shown))).toEqual([[name], [name], [name]]);
});

test('a distribution is shown before and after; a value that was not there is a dash', () => {
  const changes = [
    { name: 'IT', before: 40, after: null },
    { name: 'FR', before: 1, after: 12.345 },
  ];
  const shares = evidenceTable({ kind: 'DISTRIBUTION', attribute: 'a', segment: 'b=1', measure: 'SHARE', changes, factor: null });
  expect(shares).toEqual({
    caption: 'a where b=1, before and after',
    columns: ['Value', 'Before', 'After', 'Change'],
    rows: [
      ['IT', '40 %', '–', '-40 %'],
      ['FR', '1 %', '12.3 %', '+11.3 %'],
    ],
  });
  const mean = [{ name: 'mean', before: 1.23456, after: 123.456 }];
  const statistics = evidenceTable({
    kind: 'DISTRIBUTION',
    attribute: 'a',
    segment: null,
    measure: 'STATISTIC',
    changes: mean,
    factor: 100,
  });
  expect(statistics?.rows).toEqual([['mean', '1.235', '123.5', '+122.2']]);
});

test('missing rows and new names of columns have tables of their own', () => {
  const segments = [{ attribute: 'country', value: 'IT', before: 1200, after: 0 }];
  expect(evidenceTable({ kind: 'VOLUME', attribute: null, before: 5000, after: 3800, segments })?.rows).toEqual([
    ['country = IT', '1,200', '0', '-1,200'],
  ]);
  const files = [{ name: 'part-3.csv', before: 900, after: null }];
  expect(evidenceTable({ kind: 'VOLUME', attribute: null, before: 5000, after: 3800, segments, files })?.rows).toEqual([
    ['file part-3.csv', '900', '–', '-900'],
    ['country = IT', '1,200', '0', '-1,200'],
  ]);
  expect(evidenceTable({ kind: 'VOLUME', attribute: null, before: 5000, after: 3800, segments: [] })).toBeUndefined();
  const renames = [{ before: 'price', after: 'amount', similarity: 0.913 }];
  expect(evidenceTable({ kind: 'SCHEMA', attribute: null, changes: [], renames })?.rows).toEqual([['price', 'amount', '91.3 %']]);
});

test('rows that made a change are shown with their own figures and their share of it', () => {
  const segments = [
    { attribute: 'country', value: 'IT', rows_before: 900, rows_after: 1000, before: 99.5, after: 20.25, share: 0.812 },
    { attribute: 'channel', value: null, rows_before: 0, rows_after: 10, before: null, after: 0, share: 0.3 },
  ];
  const evidence = { kind: 'SEGMENTS', attribute: 'mail', before: 99, after: 91, segments } as const;
  expect(evidenceTable({ ...evidence, measure: 'COMPLETENESS' })).toMatchObject({
    caption: 'Segments whose rows changed the completeness of mail',
    rows: [
      ['country = IT', '99.5 %', '20.3 %', '1,000', '81.2 %'],
      ['channel = (null)', '–', '0 %', '10', '30 %'],
    ],
  });
  expect(evidenceTable({ ...evidence, measure: 'MEAN' })).toMatchObject({ caption: 'Segments whose rows changed the mean of mail' });
});
