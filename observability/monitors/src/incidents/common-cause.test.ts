// SPDX-License-Identifier: Apache-2.0
import type { IncidentEvidence } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { type CauseCandidate, type ColumnPaths, commonCauses, type UpstreamIncident } from './common-cause.ts';

type Fault = {
  readonly metric: string;
  readonly attribute?: string;
  readonly rule?: string;
  readonly segment?: string;
  readonly says?: string;
};

function incident(id: number, faults: readonly Fault[], change: Partial<CauseCandidate> = {}): CauseCandidate {
  return {
    id,
    isFresh: true,
    rootId: undefined,
    evidence: [],
    alerts: faults.map(({ metric, attribute = null, rule = null, segment = '', says = `${metric} moved` }) => ({
      metric: { metric_name: metric, metric_aggregation: 'x', display_metric_name: metric, segment: null, rule, attribute },
      segment,
      priority: 'HIGH',
      policy_name: metric,
      description: { HIGH: [says] },
    })),
    ...change,
  };
}

const causes = (candidates: readonly CauseCandidate[], upstream: readonly UpstreamIncident[] = [], columns: ColumnPaths = new Map()) =>
  [...commonCauses(candidates, upstream, columns)].map(([id, { root_id, reason }]) => [id, root_id, reason]);

const schema = (renames: readonly { readonly before: string; readonly after: string }[]): IncidentEvidence => ({
  kind: 'SCHEMA',
  attribute: null,
  changes: [],
  renames: renames.map((rename) => ({ ...rename, similarity: 0.9 })),
});

describe('incidents of one scan', () => {
  test('about a column that was renamed have the change of the schema as their cause, under both names', () => {
    const gone = [
      { metric: 'SCHEMA', attribute: 'price' },
      { metric: 'SCHEMA', attribute: 'amount' },
    ];
    expect(
      causes([
        incident(1, [{ metric: 'COMPLETENESS', attribute: 'price' }]),
        incident(2, [{ metric: 'MEAN', attribute: 'amount' }]),
        incident(3, gone, { evidence: [schema([{ before: 'price', after: 'amount' }])] }),
        incident(4, [{ metric: 'MEAN', attribute: 'weight' }]),
      ]),
    ).toEqual([
      [1, 3, '`price` was likely renamed to `amount`'],
      [2, 3, '`price` was likely renamed to `amount`'],
    ]);
  });

  test('about a column whose type changed say so', () => {
    const retyped = incident(9, [{ metric: 'SCHEMA', attribute: 'age', says: 'column `age` changed its type' }]);
    expect(causes([incident(1, [{ metric: 'CORRECTNESS', attribute: 'age', rule: 'is a number' }]), retyped])).toEqual([
      [1, 9, 'column `age` changed its type'],
    ]);
  });

  test('about numbers in another unit have the numbers as their cause', () => {
    const unit: IncidentEvidence = {
      kind: 'DISTRIBUTION',
      attribute: 'price',
      segment: null,
      measure: 'STATISTIC',
      changes: [],
      factor: 100,
    };
    expect(
      causes([
        incident(1, [{ metric: 'CORRECTNESS', attribute: 'price', rule: 'below 1000' }]),
        incident(2, [{ metric: 'MEAN', attribute: 'price' }], { evidence: [unit] }),
      ]),
    ).toEqual([[1, 2, 'the unit of `price` may have changed']]);
  });

  test('about the same bad rows are one, whatever columns they are about', () => {
    const ofItaly = (rule: string): IncidentEvidence => ({
      kind: 'RULE',
      rule,
      attribute: null,
      checked: 100,
      failed: 10,
      segments: [{ attribute: 'country', value: 'IT', checked: 10, failed: 10, lift: 10 }],
    });
    expect(
      causes([
        incident(1, [{ metric: 'CORRECTNESS', attribute: 'a', rule: 'r1' }], { evidence: [ofItaly('r1')] }),
        incident(2, [{ metric: 'CORRECTNESS', attribute: 'b', rule: 'r2' }], { evidence: [ofItaly('r2')] }),
        incident(3, [{ metric: 'COMPLETENESS', attribute: 'c', segment: 'country=IT' }]),
      ]),
    ).toEqual([
      [1, 3, 'the rows at fault are the same: country=IT'],
      [2, 3, 'the rows at fault are the same: country=IT'],
    ]);
  });

  test('that share less than half of what they are about stand alone', () => {
    const wide = incident(
      2,
      ['a', 'b', 'c'].map((attribute) => ({ metric: 'MEAN', attribute })),
    );
    expect(causes([incident(1, [{ metric: 'SCHEMA', attribute: 'a' }]), wide])).toEqual([]);
    expect(causes([incident(1, [{ metric: 'SCHEMA', attribute: 'a' }]), incident(2, [{ metric: 'RECORD_COUNT' }])])).toEqual([]);
  });

  test('that go on may be a cause, and keep the cause that they have', () => {
    const standing = incident(5, [{ metric: 'MEAN', attribute: 'a' }], { isFresh: false, rootId: 4 });
    expect(causes([standing, incident(6, [{ metric: 'TOP_VALUE', attribute: 'a' }])])).toEqual([[6, 4, 'MEAN moved']]);
  });
});

test('an asset upstream that is at fault about the same is the cause, or what is the cause of that', () => {
  const broken = { id: 40, assetId: 'o', isParent: true, rootId: undefined, assetName: 'orders', policyName: 'Completeness drifts' };
  const upstream = { ...broken, metrics: [{ metric_name: 'COMPLETENESS', attribute: 'price' }] };
  const filled = incident(1, [{ metric: 'COMPLETENESS', attribute: 'price' }]);
  const reason = '`orders`, which this asset is made of, has an open incident of "Completeness drifts" about the same';
  expect(causes([filled], [upstream])).toEqual([[1, 40, reason]]);
  expect(causes([filled], [{ ...upstream, rootId: 30 }])).toEqual([[1, 30, reason]]);
  expect(causes([incident(1, [{ metric: 'COMPLETENESS', attribute: 'name' }])], [upstream])).toEqual([]);
  const late = { ...broken, metrics: [{ metric_name: 'FRESHNESS', attribute: null }] };
  expect(causes([incident(1, [{ metric: 'RECORD_COUNT' }]), incident(2, [{ metric: 'SCHEMA', attribute: 'a' }])], [late])).toEqual([
    [1, 40, reason],
  ]);
});

describe('where columns are known', () => {
  const broken = { id: 40, assetId: 'o', isParent: true, rootId: undefined, assetName: 'orders', policyName: 'Completeness drifts' };
  const priceBroken = { ...broken, metrics: [{ metric_name: 'COMPLETENESS', attribute: 'price' }] };
  const place = (assetId: string, assetName: string, attribute: string) => ({ assetId, assetName, attribute });
  const total = place('r', 'revenue', 'total');
  const about = (attribute: string) => incident(1, [{ metric: 'COMPLETENESS', attribute }]);

  test('a column that is made of the one at fault has it as its cause, over any number of assets', () => {
    const columns: ColumnPaths = new Map([
      [
        'total',
        [
          [total, place('c', 'clean', 'amount')],
          [total, place('c', 'clean', 'amount'), place('o', 'orders', 'price')],
        ],
      ],
    ]);
    const reason =
      '`total` comes from `clean.amount`, that from `orders.price`, and `orders` has an open incident of "Completeness drifts" about `price`';
    expect(causes([about('total')], [{ ...priceBroken, isParent: false }], columns)).toEqual([[1, 40, reason]]);
  });

  test('a column of the same name that is made of others has no cause there', () => {
    const columns: ColumnPaths = new Map([['price', [[place('r', 'revenue', 'price'), place('o', 'orders', 'list_price')]]]]);
    expect(causes([about('price')], [priceBroken], columns)).toEqual([]);
    expect(causes([about('price')], [priceBroken], new Map([['price', []]]))).toEqual([]);
    expect(causes([about('price')], [priceBroken], new Map([['other', []]]))).toHaveLength(1);
  });

  test('an asset that is no parent passes nothing on by names alone', () => {
    expect(causes([about('price')], [{ ...priceBroken, isParent: false }])).toEqual([]);
    const late = { ...broken, isParent: false, metrics: [{ metric_name: 'FRESHNESS', attribute: null }] };
    expect(causes([incident(1, [{ metric: 'RECORD_COUNT' }])], [late])).toEqual([]);
  });
});
