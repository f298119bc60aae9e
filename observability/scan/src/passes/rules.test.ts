// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import type { RuleCheck } from '../checks.ts';
import { PointCollector } from '../points.ts';
import { engineOnThread } from '../testing/engine-on-thread.ts';
import { fileSource } from '../testing/table-files.ts';
import { measureRules } from './rules.ts';

const rule = (monitorId: string, validSql: string): RuleCheck => ({
  monitorId,
  validSql,
  attributes: ['id'],
  windows: [],
  reason: '',
});

/** It keeps one thread busy alone. */
const ENDLESS = '(WITH RECURSIVE r AS (SELECT 1 AS v UNION ALL SELECT 1 FROM r) SELECT count(*) FROM r) > id';

test('a rule that takes longer than its limit is the only one that cannot be measured, and says so', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'a.csv');
  await writeFile(path, 'id\n1\n2\n3\n');
  await using source = await fileSource(path);
  await using engine = await engineOnThread(source, directory.path);
  let records: unknown;
  const receive = (value: unknown): void => {
    records = value;
  };
  const results = await measureRules(
    { engine, dimensions: [], points: new PointCollector(), idAttributes: [], keepsSamples: true, seed: '', timeoutMs: 500 },
    {
      rules: [rule('endless', ENDLESS), rule('quick', 'id > 1')],
      beside: [{ inner: [], aggregates: [{ sql: 'count(*)', receive }] }],
    },
  );
  expect(results.failures).toEqual([{ monitor_id: 'endless', reason: 'The rule took longer than its limit of 0.5 s' }]);
  expect(results.counts).toEqual([{ monitor_id: 'quick', checked: 3, failed: 1 }]);
  expect(results.samples).toMatchObject([{ monitor_id: 'quick', row: { id: '1' } }]);
  expect(Number(records)).toBe(3);
});
