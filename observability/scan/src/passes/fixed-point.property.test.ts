// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { onDuckdb } from '../expressions/sql-engines.conformance.ts';
import { fixedPointSuite, rangeOf } from './fixed-point.conformance.ts';
import { fixedPointOf } from './fixed-point.ts';

onDuckdb((engine) => fixedPointSuite(engine));

test('numbers whose squares are none have no moments', () => {
  expect(fixedPointOf(rangeOf([1, 1e150]))).toBeUndefined();
  expect(fixedPointOf(undefined)).toBeUndefined();
});
