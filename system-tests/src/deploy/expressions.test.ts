// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { metricsIn } from './expressions.ts';

test.each([
  ['up == 0', ['up']],
  ['up{job=~"sextant-.*"} == 0', ['up']],
  [
    'sum by (job, status) (rate(requests_total{a="b_c"}[5m])) / sum(rate(all_total[$__rate_interval])) > 0.01',
    ['requests_total', 'all_total'],
  ],
  ['predict_linear(free_bytes[6h], 24 * 3600) < reserve_bytes', ['free_bytes', 'reserve_bytes']],
  ['waiting > 0 and increase(failed[30m]) > 1e3', ['waiting', 'failed']],
  ['topk(8, histogram_quantile(0.99, sum by (le) (rate(seconds_bucket{x="}"}[1m]))))', ['seconds_bucket']],
])('%s', (expression, names) => {
  expect(metricsIn(expression)).toEqual(names);
});
