// SPDX-License-Identifier: Apache-2.0
import type { Condition, Expression } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { type Candidate, conditionsOf, evaluate } from './formula.ts';

const isTool: Condition = { key: 'kind', match: { value: 'tool' } };
const isToy: Condition = { key: 'kind', match: { value: 'toy' } };

const candidate: Candidate = {
  scores: [0.5, undefined],
  payload: {
    price: 8,
    big: 9_007_199_254_740_993n,
    list: [3, 4],
    nested: { rating: 2.5 },
    when: '1970-01-01T00:01:00Z',
    place: { lon: 13.4, lat: 52.5 },
    name: 'x',
    nothing: null,
  },
  holds: (condition) => condition === isTool,
};

function value(expression: Expression, defaults = {}): number {
  return evaluate(expression, candidate, defaults);
}

describe('a formula', () => {
  test.each<[string, Expression, number]>([
    ['a constant', 2.5, 2.5],
    ['the score', '$score', 0.5],
    ['the score of the first prefetch', '$score[0]', 0.5],
    ['the score of a prefetch that did not find it', '$score[1]', 0],
    ['a payload key', 'price', 8],
    ['a path', 'nested.rating', 2.5],
    ['the first of several values', 'list', 3],
    ['one of several values', 'list[1]', 4],
    ['an integer beyond 2^53', 'big', 9_007_199_254_740_992],
    ['a condition that holds', isTool, 1],
    ['a condition that does not', isToy, 0],
    ['a product', { mult: [2, 3, 'price'] }, 48],
    ['a product of nothing', { mult: [] }, 1],
    ['a sum', { sum: ['$score', 1, { neg: 'price' }] }, -6.5],
    ['an absolute value', { abs: { neg: 3 } }, 3],
    ['a root', { sqrt: 16 }, 4],
    ['a power', { pow: { base: 2, exponent: 10 } }, 1024],
    ['e to the power', { exp: 0 }, 1],
    ['a decadic logarithm', { log10: 1000 }, 3],
    ['a natural logarithm', { ln: Math.E }, 1],
    ['a quotient', { div: { left: 'price', right: 2 } }, 4],
    ['a quotient by zero', { div: { left: 1, right: 0, by_zero_default: 7 } }, 7],
    ['a date, in seconds', { datetime: '1970-01-01T00:00:10Z' }, 10],
    ['a date of the payload', { datetime_key: 'when' }, 60],
    ['linear decay, half way', { lin_decay: { x: 'price', target: 3, scale: 5 } }, 0.5],
    ['linear decay, beyond', { lin_decay: { x: 'price', target: -100, scale: 5 } }, 0],
    ['exponential decay at two scales', { exp_decay: { x: 10, scale: 5 } }, 0.25],
    ['Gaussian decay at two scales', { gauss_decay: { x: 10, scale: 5 } }, 0.0625],
    ['a decay of another midpoint', { exp_decay: { x: 5, scale: 5, midpoint: 0.1 } }, 0.1],
  ])('%s', (_name, expression, expected) => {
    expect(value(expression)).toBeCloseTo(expected, 10);
  });

  test('a distance on the earth', () => {
    // Berlin to Hamburg.
    const metres = value({ geo_distance: { origin: { lon: 10, lat: 53.55 }, to: 'place' } });
    expect(metres).toBeGreaterThan(250_000);
    expect(metres).toBeLessThan(262_000);
  });

  test('defaults stand for what is not there', () => {
    expect(value({ sum: ['missing', 'nothing', '$score[1]'] }, { missing: 1, nothing: 2, '$score[1]': 4 })).toBe(7);
    expect(value({ datetime_key: 'missing' }, { missing: '1970-01-02' })).toBe(86_400);
  });

  test.each<[Expression, RegExp]>([
    ['missing', /^formula: no value for "missing" in the payload/],
    ['nothing', /no value for "nothing"/],
    ['name', /the value of "name" is not a number/],
    [{ datetime_key: 'name' }, /datetime_key: expected an RFC 3339 date, got "x"/],
    [{ geo_distance: { origin: { lon: 0, lat: 0 }, to: 'price' } }, /"price" is not a geo point/],
    [{ div: { left: 1, right: 0 } }, /div of a candidate is not a finite number/],
    [{ sqrt: -1 }, /sqrt of a candidate is not a finite number/],
    [{ ln: 0 }, /ln of a candidate is not a finite number/],
    [{ exp: 1000 }, /exp of a candidate is not a finite number/],
    ['a..b', /^formula: .*at position 2 of path "a..b"/],
    [{ datetime_key: 'a[' }, /^formula: .*at position 1 of path/],
    [{ geo_distance: { origin: { lon: 0, lat: 0 }, to: './..' } }, /^formula: .*at position 0 of path/],
  ])('%j says what is wrong', (expression, message) => {
    expect(() => value(expression)).toThrow(message);
  });
});

test('the conditions of a formula are found wherever they stand', () => {
  const expression: Expression = {
    sum: [
      isTool,
      { mult: [2, { lin_decay: { x: { div: { left: isToy, right: 'price' } } } }] },
      { datetime_key: 'when' },
      { neg: '$score' },
    ],
  };
  expect(conditionsOf(expression)).toEqual([isTool, isToy]);
});
