// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { AssertionError, assert, unreachable } from './assert.ts';

test.each([true, 1, 'text', {}, []])('%j is a fact', (fact) => {
  expect(() => assert(fact, 'stated')).not.toThrow();
});

test.each([false, 0, '', null, undefined, Number.NaN])('%j is none, and the error says where it was stated', (fact) => {
  expect(() => assert(fact, 'checked when read')).toThrow(new AssertionError('checked when read'));
});

test('a place that cannot be reached says with what it was', () => {
  // A value of a kind that the types rule out, as a newer writer might send it.
  expect(() => unreachable('future' as never)).toThrow('unreachable: future');
});
