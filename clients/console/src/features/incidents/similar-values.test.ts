// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { similarValuesOf } from './similar-values.ts';

const AT = '2026-05-04T02:00:00.000Z';

test.each([
  [{}, []],
  [{ similar: 'none' }, []],
  [{ similar: [null, 7, { value: 7 }, { metric_time: 7, text: '7' }] }, []],
  [{ similar: [{ metric_time: AT, value: 97, text: '97 %' }] }, [{ at: AT, text: '97 %', note: '' }]],
  [
    {
      similar: [
        { metric_time: AT, value: 1, text: '1', is_excluded: true },
        { metric_time: AT, value: 2, text: '2', is_expected: true },
      ],
    },
    [
      { at: AT, text: '1', note: 'excluded from learning' },
      { at: AT, text: '2', note: 'expected' },
    ],
  ],
])('%j lists %j', (violation_data, listed) => {
  expect(similarValuesOf({ violation_data })).toEqual(listed);
});
