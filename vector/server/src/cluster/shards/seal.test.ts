// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Seal } from './seal.ts';

const body = Buffer.from('which points');
const NOW = 1_700_000_000_000;
const seal = new Seal('a secret of the cluster');

test('a question of this cluster is known, whoever made it', () => {
  expect(new Seal('a secret of the cluster').allows(seal.question(body, NOW), body, NOW + 1000)).toBe(true);
});

test('another secret, other bytes, another time or no seal at all is none', () => {
  const question = seal.question(body, NOW);
  expect(new Seal('another').allows(question, body, NOW)).toBe(false);
  expect(seal.allows(question, Buffer.from('which pointz'), NOW)).toBe(false);
  expect(seal.allows(question, body, NOW + 61_000)).toBe(false);
  expect(seal.allows(question.replace(String(NOW), String(NOW + 1)), body, NOW)).toBe(false);
  for (const none of ['', '.', 'x.y', `${NOW}.`, `NaN.${question.split('.')[1]}`]) expect(seal.allows(none, body, NOW)).toBe(false);
});

test('an answer belongs to its question', () => {
  const question = seal.question(body, NOW);
  const answer = seal.answer(Buffer.from('these'), question);
  expect(seal.isAnswer(answer, Buffer.from('these'), question)).toBe(true);
  expect(seal.isAnswer(answer, Buffer.from('those'), question)).toBe(false);
  expect(seal.isAnswer(answer, Buffer.from('these'), seal.question(body, NOW + 1))).toBe(false);
});
