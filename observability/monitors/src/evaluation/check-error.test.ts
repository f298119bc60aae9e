// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { bounds, point, predefined, rule, userMetric, WatchedAsset } from './testing/watched-asset.ts';
import { collectionFault } from './watch-fault.ts';

const correctness = (monitor_id: string, value: number): MetricPoint =>
  point('CORRECTNESS', 'ratio', value, { attribute: 'a', monitor_id });

test.each([
  ['MEAN', 'MEAN is measured of tables and files, not of vector collections'],
  ['REJECTED_ROWS', 'REJECTED_ROWS is measured of tables and files, not of vector collections'],
  ['FRESHNESS', 'FRESHNESS is measured of tables and files, not of vector collections'],
  ['VECTOR_NORM', undefined],
  ['SEARCH_RECALL', undefined],
  ['RECORD_COUNT', undefined],
  // A pre-built monitor, which every asset has.
  ['REJECTED_ROWS_VIOLATION', undefined],
])('of a vector collection a monitor of %s has the fault: %s', (name, fault) => {
  expect(collectionFault(predefined(name))).toBe(fault);
});

describe('a monitor that cannot be evaluated', () => {
  const outcomesOf = ({ verdicts }: ReturnType<WatchedAsset['scan']>) => verdicts.map(({ outcome }) => outcome);
  const errors = ({ verdicts }: ReturnType<WatchedAsset['scan']>) => verdicts.flatMap(({ violations }) => violations);

  test.each(['IGNORE', 'ZERO', 'AVERAGE'] as const)(
    '[E8][E23] is errored and says why, whatever stands for missing values: %s',
    (strategy) => {
      const threshold = { ...bounds(90, null), extrapolation_strategy: strategy };
      const asset = new WatchedAsset([predefined('DQ_RULES_VIOLATION'), rule('8', { threshold })]);
      const failed = asset.scan([], [], { failures: [{ monitor_id: '8', reason: 'a is gone' }] });
      expect(outcomesOf(failed)).toEqual(['errored', 'errored']);
      expect(failed.verdicts.map(({ reason }) => reason)).toEqual(['a rule could not be evaluated: `rule 8`', 'a is gone']);
      expect(errors(failed)).toMatchObject([
        { type: 'CHECK_ERROR', violation_name: 'DATA.8.error', priority: 'HIGH', sentence: '`rule 8` could not be evaluated: a is gone' },
      ]);
      expect(outcomesOf(asset.scan([correctness('8', 100)])).at(-1)).toBe('clear');
    },
  );

  test('[E2] a rule without history is judged by every row', () => {
    const judge = (value: number) => outcomesOf(new WatchedAsset([rule('8')]).scan([correctness('8', value)]));
    expect([judge(100), judge(99.999)]).toEqual([['clear'], ['violated']]);
  });

  test('[E24] a metric without a value is errored, and so is a group that had one before; others are not', () => {
    const custom = (value: number | null, segment: string | null) => point('CUSTOM', 'value', value, { segment, monitor_id: '3' });
    const asset = new WatchedAsset([userMetric('3', { threshold: bounds(0, null) })]);
    expect(outcomesOf(asset.scan([custom(null, 'a=1'), custom(null, 'a=2')]))).toEqual(['errored']);
    expect(outcomesOf(asset.scan([custom(1, 'a=1'), custom(null, 'a=2')]))).toEqual(['clear']);
    const lost = asset.scan([custom(null, 'a=1'), custom(1, 'a=2')]);
    expect(lost.verdicts).toMatchObject([{ outcome: 'errored', reason: expect.stringContaining('no value for a=1;') }]);
    const valueless = [
      { monitor_id: '4', segment: 'a=1', reason: 'of another metric' },
      { monitor_id: '3', segment: 'a=2', reason: 'of another group' },
      { monitor_id: '3', segment: 'a=1', reason: 'its divisor sum(b) is 0' },
    ];
    const evaluated = new WatchedAsset([userMetric('3')]).scan([custom(null, 'a=1')], [], { valueless });
    expect(evaluated.verdicts[0]?.reason).toBe('the metric has no value for a=1; its divisor sum(b) is 0');
    expect(outcomesOf(new WatchedAsset([userMetric('3')]).scan([custom(null, null)]))).toEqual(['errored']);
  });

  test('[E29] and is violated besides says both, and why a part of it is unknown', () => {
    const two = { predefined_metric: 'COMPLETENESS', attributes: ['a', 'b'] };
    const asset = new WatchedAsset([predefined('COMPLETENESS', { monitor: two, threshold: bounds(90, null) })]);
    const schema = { attributes: [{ name: 'a', data_type: 'STRING' }], options: {}, measured: ['a'] } as const;
    const [verdict] = asset.scan([point('COMPLETENESS', 'ratio', 50, { attribute: 'a' })], [], { schema }).verdicts;
    expect(verdict).toMatchObject({ outcome: 'violated', reason: expect.stringContaining('b is not an attribute of the asset') });
    expect(verdict?.violations.map(({ metric_name, attribute }) => [metric_name, attribute])).toEqual([
      ['COMPLETENESS', 'a'],
      ['CHECK_ERROR', null],
    ]);
  });

  test('[E23] is every one of a metric that the scan could not measure, and none of another', () => {
    const failures = [{ monitor_id: 'SEARCH_RECALL_DRIFTS', reason: 'the index could not be searched' }];
    const made = predefined('SEARCH_RECALL', { id: '7' });
    const asset = new WatchedAsset([made, predefined('RECORD_COUNT', { id: '8' }), predefined('SEARCH_RECALL_DRIFTS')]);
    const { verdicts } = asset.scan([point('RECORD_COUNT', 'count', 9)], [], { failures });
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['errored', 'unknown', 'errored']);
    expect(verdicts[0]).toMatchObject({ reason: 'the index could not be searched' });
  });

  test.each([
    ['COMPLETENESS', ['b'], 'b is not an attribute of the asset; expected one of a, n, s, d'],
    ['MEAN', ['s'], 's is of type STRING, of which there is no mean; it needs INTEGER, DECIMAL, DATE, TIMESTAMP'],
    ['DATA_DRIFTS', ['n'], 'n is of type INTEGER, of which there is no DATA_DRIFTS; it needs STRING'],
    ['COMPLETENESS', ['s'], 's is not measured; choose it among the attributes of the asset'],
    ['CORRECTNESS', ['a'], 'no rule checks a'],
    ['UNIQUENESS', [], 'of the record id, key is not an attribute of the asset; expected one of a, n, s, d'],
    ['FRESHNESS_DRIFTS', [], 'no record has a time in d that can be read'],
    ['MEAN', ['n'], undefined],
    ['SCHEMA_DRIFTS', [], undefined],
    ['NULL_PERCENTAGE', ['a', 'n'], undefined],
  ])('[E23] %s of %j: %s', (name, attributes, reason) => {
    const types = { a: 'BOOLEAN', n: 'INTEGER', s: 'STRING', d: 'STRING' } as const;
    const schema = {
      attributes: Object.entries(types).map(([attribute, data_type]) => ({ name: attribute, data_type })),
      options: { id_attributes: ['key'], timestamp_attribute: 'd' },
      measured: ['a', 'n'],
    };
    const asset = new WatchedAsset([predefined(name, { attributes, monitor: { predefined_metric: name, attributes } })]);
    const points = [point('RECORD_COUNT', 'count', 9), point('FRESHNESS', 'min', null, { attribute: 'd' })];
    const [verdict] = asset.scan(points, [], { schema }).verdicts;
    if (reason === undefined) expect(verdict?.outcome).toBe('unknown');
    else expect(verdict).toMatchObject({ outcome: 'errored', reason });
  });
});
