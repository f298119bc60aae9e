// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { CheckFigures } from './check-figures.ts';

test('the states of the monitors of all scans add up, those that could not be evaluated among them', () => {
  const checked = new CheckFigures();
  const valuesOf = ({ figures }: CheckFigures) => Object.fromEntries(figures.map(({ name, value }) => [name, value]));
  const none = { checks_ok_total: 0, checks_violated_total: 0, checks_errored_total: 0, checks_not_enough_history_total: 0 };
  expect(valuesOf(checked)).toEqual(none);
  checked.add({ ok: 1, violated: 2, errored: 3, not_enough_history: 4, not_applicable: 5 });
  checked.add({ ok: 10, violated: 20, errored: 30, not_enough_history: 40, not_applicable: 50 });
  expect(valuesOf(checked)).toEqual({
    checks_ok_total: 11,
    checks_violated_total: 22,
    checks_errored_total: 33,
    checks_not_enough_history_total: 44,
  });
});
