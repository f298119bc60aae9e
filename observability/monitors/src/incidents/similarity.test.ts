// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type ComparedIncident, similarIncidents } from './similarity.ts';

const METRIC = { metric_name: 'MEAN', metric_aggregation: 'mean', display_metric_name: 'Mean', segment: null, rule: null };

function incident(id: number, changes: Partial<ComparedIncident> & { readonly attribute?: string | null } = {}): ComparedIncident {
  const { attribute = 'price', ...rest } = changes;
  return {
    id,
    asset_id: 'orders',
    alert_policy_id: 'numbers',
    alert_policy_name: 'Numbers',
    description: `The mean of ${attribute} is ${id}.5, outside 1 to 2`,
    kind: 'VIOLATION',
    tags: [],
    metrics: [{ ...METRIC, attribute }],
    ...rest,
  };
}

const unlike = incident(9, {
  asset_id: 'flights',
  alert_policy_id: 'rows',
  alert_policy_name: 'Rows',
  description: 'There are 12 rows, fewer than ever',
  metrics: [{ ...METRIC, metric_name: 'RECORD_COUNT', metric_aggregation: 'count', attribute: null }],
});

test('the same monitor and attribute come first, then the attribute elsewhere, then another attribute of the asset', () => {
  const same = incident(2);
  const elsewhere = incident(3, { asset_id: 'returns', alert_policy_id: 'amounts', alert_policy_name: 'Amounts' });
  const other = incident(4, { attribute: 'quantity' });
  const found = similarIncidents(incident(1), [unlike, other, elsewhere, same], 3);
  expect(found.map(({ id }) => id)).toEqual([2, 4, 3]);
  expect(found[0]?.shared).toContain('the attribute price');
  expect(found[2]?.shared).not.toContain('the asset');
});

test('an incident that has nothing in common is not named, and none is named twice or is itself', () => {
  const found = similarIncidents(incident(1), [incident(1), unlike], 3);
  expect(found).toEqual([]);
});

test('the same incident again is as alike as can be; numbers of its description do not count', () => {
  const [again] = similarIncidents(incident(1), [incident(77), unlike], 1);
  expect(again).toMatchObject({ id: 77, similarity: expect.closeTo(1, 9) });
});

test('what few have in common counts more than what most have', () => {
  const rule = (id: number, text: string) => incident(id, { metrics: [{ ...METRIC, metric_name: 'RULE', rule: text, attribute: null }] });
  const common = Array.from({ length: 20 }, (_, at) => rule(100 + at, `rule ${at}`));
  const [first] = similarIncidents(rule(1, 'VALIDATE a EXPECT b'), [...common, rule(2, 'VALIDATE a EXPECT b')], 3);
  expect(first).toMatchObject({ id: 2, shared: expect.arrayContaining(['the rule VALIDATE a EXPECT b']) });
});

test('names are compared by their words, whichever way they are written', () => {
  const named = (id: number, attribute: string) => incident(id, { attribute, description: '' });
  const found = similarIncidents(named(1, 'unitPrice'), [named(3, 'quantity'), named(2, 'unit_price'), unlike], 2);
  expect(found.map(({ id }) => id)).toEqual([2, 3]);
});

test('an incident of thousands of metrics is compared in bounded work', () => {
  const metrics = Array.from({ length: 1000 }, (_, at) => ({ ...METRIC, attribute: `column ${at}` }));
  const found = similarIncidents(incident(1, { metrics }), [incident(2, { metrics }), unlike], 3);
  expect(found).toMatchObject([{ id: 2 }]);
});
