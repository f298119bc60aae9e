// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isStatedBody, Seal } from './seal.ts';

const body = Buffer.from('which points');
const NOW = 1_700_000_000_000;
const seal = new Seal('a secret of the cluster');

test('a question of this cluster is known before its bytes are read, whoever made it', () => {
  const stated = new Seal('a secret of the cluster').admits(seal.question(body, NOW), NOW + 1000);
  expect(stated?.bytes).toBe(body.length);
  expect(stated !== undefined && isStatedBody(body, stated)).toBe(true);
  expect(stated !== undefined && isStatedBody(Buffer.from('which pointz'), stated)).toBe(false);
  expect(stated !== undefined && isStatedBody(body.subarray(1), stated)).toBe(false);
});

test('another secret, another length, other bytes, another time or no seal at all is none', () => {
  const question = seal.question(body, NOW);
  const [, length = '', digest = '', code = ''] = question.split('.');
  expect(new Seal('another').admits(question, NOW)).toBeUndefined();
  expect(seal.admits(question, NOW + 61_000)).toBeUndefined();
  expect(seal.admits(question.replace(String(NOW), String(NOW + 1)), NOW)).toBeUndefined();
  expect(seal.admits(`${NOW}.${Number(length) + 1}.${digest}.${code}`, NOW)).toBeUndefined();
  expect(seal.admits(`${NOW}.${length}.${digest.replace(/./g, '0')}.${code}`, NOW)).toBeUndefined();
  for (const none of ['', '.', 'x.y', `${NOW}.`, `NaN.${length}.${digest}.${code}`]) expect(seal.admits(none, NOW)).toBeUndefined();
});

test('an answer belongs to its question', () => {
  const question = seal.question(body, NOW);
  const these = Buffer.from('these');
  const answer = seal.answer(these, question);
  const stated = seal.admitsAnswer(answer, question);
  expect(stated?.bytes).toBe(these.length);
  expect(stated !== undefined && isStatedBody(these, stated)).toBe(true);
  expect(stated !== undefined && isStatedBody(Buffer.from('those'), stated)).toBe(false);
  expect(seal.admitsAnswer(answer, seal.question(body, NOW + 1))).toBeUndefined();
  expect(new Seal('another').admitsAnswer(answer, question)).toBeUndefined();
  for (const none of ['', '5', answer.replace(/^5/, '6')]) expect(seal.admitsAnswer(none, question)).toBeUndefined();
});
