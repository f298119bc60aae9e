// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isEvidence, keeperOf } from './row-evidence.ts';

const rejected = { monitor_id: 'REJECTED_ROWS_VIOLATION', row: { text: 'line 3: 2' } };
const ofPrice = { monitor_id: 'TYPE_MISMATCH_VIOLATION', row: { price: 'cheap' } };
const ofDay = { monitor_id: 'TYPE_MISMATCH_VIOLATION', row: { day: 'soon' } };
const ofRule = { monitor_id: '7', row: { price: '-1' } };
const ofPoint = { monitor_id: null, row: {} };
const ALL = { rejected, ofPrice, ofDay, ofRule };

function incident(alert_policy_id: string, ...metrics: readonly (readonly [name: string, attribute: string | null])[]) {
  return { alert_policy_id, isOfCollection: false, metrics: metrics.map(([metric_name, attribute]) => ({ metric_name, attribute })) };
}

test.each([
  ['REJECTED_ROWS_VIOLATION', incident('REJECTED_ROWS_VIOLATION', ['REJECTED_ROWS', null]), ['rejected']],
  ['a monitor of rejected rows that a person made', incident('9', ['REJECTED_ROWS', null]), ['rejected']],
  ['TYPE_MISMATCH_VIOLATION, of its attributes', incident('TYPE_MISMATCH_VIOLATION', ['TYPE_MISMATCH', 'price']), ['ofPrice']],
  [
    'TYPE_MISMATCH_VIOLATION, of two',
    incident('TYPE_MISMATCH_VIOLATION', ['TYPE_MISMATCH', 'price'], ['TYPE_MISMATCH', 'day']),
    ['ofPrice', 'ofDay'],
  ],
  ['a check error, which no row explains', incident('TYPE_MISMATCH_VIOLATION', ['CHECK_ERROR', null]), []],
  ['a rule', incident('7', ['CORRECTNESS', 'price']), ['ofRule']],
  ['another metric of the same attribute', incident('COMPLETENESS_DRIFTS', ['COMPLETENESS', 'price']), []],
  ['a scan that failed', incident('DATA_PROCESS_FAILURE', ['DATA_PROCESS_FAILURE', null]), []],
])('evidence for an incident of %s', (_, about, names) => {
  const shown = Object.entries(ALL).filter(([, sample]) => isEvidence(sample, about));
  expect(shown.map(([name]) => name)).toEqual(names);
});

test('every rule is evidence for the monitor of all rules, and what could not be read is none', () => {
  const about = incident('DQ_RULES_VIOLATION', ['CORRECTNESS', 'price']);
  expect([isEvidence(ofRule, about), isEvidence(rejected, about), isEvidence(ofPrice, about)]).toEqual([true, false, false]);
});

test('a point of a collection is evidence for each of its incidents, and a row of a file without a monitor for none', () => {
  const about = incident('VECTOR_DRIFTS', ['VECTOR_FAR_SHARE', 'text']);
  expect([isEvidence(ofPoint, { ...about, isOfCollection: true }), isEvidence(ofPoint, about)]).toEqual([true, false]);
});

test.each([
  ['its own rule', incident('7', ['CORRECTNESS', 'price']), '7'],
  ['rejected rows', incident('9', ['REJECTED_ROWS', null]), 'REJECTED_ROWS_VIOLATION'],
  ['values that do not fit', incident('9', ['TYPE_MISMATCH', 'price']), 'TYPE_MISMATCH_VIOLATION'],
  ['all rules', incident('DQ_RULES_VIOLATION', ['CORRECTNESS', 'price']), undefined],
  ['all of a collection', { ...incident('VECTOR_DRIFTS', ['VECTOR_FAR_SHARE', 'text']), isOfCollection: true }, undefined],
])('the rows of %s are asked for', (_, about, keeper) => {
  expect(keeperOf(about)).toBe(keeper);
});
