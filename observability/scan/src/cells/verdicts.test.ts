// SPDX-License-Identifier: Apache-2.0
import type { CellVerdict } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { Verdicts, valueKeyOf } from './verdicts.ts';

function verdict(value: string | null, isWrong: boolean, detectors: CellVerdict['detectors'] = ['spelling']): CellVerdict {
  return { attribute: 'city', valueKey: valueKeyOf('city', value), isWrong, detectors };
}

test('a value that a person called right is right, unless something else speaks against it', () => {
  const verdicts = new Verdicts([verdict('Lyons', false)]);
  expect(verdicts.of('city', 'Lyons', ['spelling'])).toMatchObject({ isWrong: false });
  expect(verdicts.of('city', 'Lyons', ['spelling', 'dependency'])).toBeUndefined();
  expect(verdicts.of('city', 'Lyon', ['spelling'])).toBeUndefined();
  expect(verdicts.of('town', 'Lyons', ['spelling'])).toBeUndefined();
});

test('a value that a person called wrong is wrong, whatever speaks against it', () => {
  const verdicts = new Verdicts([verdict(null, true, ['missing'])]);
  expect(verdicts.of('city', null, ['dependency'])).toMatchObject({ isWrong: true });
});

test('few verdicts outweigh what a detector thinks of itself', () => {
  const refused = new Verdicts(['a', 'b', 'c'].map((value) => verdict(value, false)));
  expect(refused.scoreOf('city', 'spelling', 0.9)).toBeCloseTo((2 * 0.9) / 5);
  expect(refused.scoreOf('city', 'format', 0.9)).toBe(0.9);
  expect(refused.scoreOf('country', 'spelling', 0.9)).toBe(0.9);
  const confirmed = new Verdicts(['a', 'b', 'c'].map((value) => verdict(value, true)));
  expect(confirmed.scoreOf('city', 'spelling', 0.4)).toBeCloseTo((2 * 0.4 + 3) / 5);
});

test('the key of a value differs by its attribute and tells null from its name', () => {
  const keys = [valueKeyOf('city', 'null'), valueKeyOf('city', null), valueKeyOf('town', 'null')];
  expect(new Set(keys).size).toBe(3);
});
