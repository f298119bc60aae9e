// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NewerDataError, planUpgrade, type UpgradeStep, upgradeData } from './data-version.ts';

let directory: TemporaryDirectory;
let ran: string[];
beforeEach(async () => {
  directory = await temporaryDirectory();
  ran = [];
  mkdirSync(join(directory.path, 'system'));
  writeFileSync(join(directory.path, 'system', 'data.mdb'), '');
});
afterEach(() => directory[Symbol.asyncDispose]());

const file = () => join(directory.path, 'data-version.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as unknown;
const step = (format: number, run: UpgradeStep['run'] = async () => void ran.push(`to ${format}`)): UpgradeStep => ({
  format,
  what: `to ${format}`,
  run,
});
const upgrade = (steps: readonly UpgradeStep[], release = '9.0.0') =>
  upgradeData(directory.path, { release, steps, onStep: () => undefined });

test('a directory without the file is of the first format, and is marked', async () => {
  await upgrade([]);
  expect(stored()).toEqual({ format: 1, release: '9.0.0' });
});

test('a new directory has the format of the release, without a step', async () => {
  await using empty = await temporaryDirectory();
  await upgradeData(empty.path, { release: '9.0.0', steps: [step(2)], onStep: () => undefined });
  expect([ran, JSON.parse(readFileSync(join(empty.path, 'data-version.json'), 'utf8'))]).toEqual([[], { format: 2, release: '9.0.0' }]);
});

test('a step for which the disk has no room says so', async () => {
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  await expect(upgrade([step(2, () => Promise.reject(full))])).rejects.toThrow(
    /has format 1 and must be upgraded to format 2, and its disk is full\. Free disk space/,
  );
});

test('missing steps run in order and once; a plan runs none', async () => {
  const steps = [step(2), step(3)];
  expect(planUpgrade(directory.path, steps)).toMatchObject({ stored: { format: 1 }, format: 3, steps: [{ format: 2 }, { format: 3 }] });
  expect(ran).toEqual([]);
  await upgrade(steps);
  await upgrade(steps);
  expect([ran, stored()]).toEqual([['to 2', 'to 3'], { format: 3, release: '9.0.0' }]);
});

test('a step that fails counts as not run, and those before it do not run again', async () => {
  const failing = step(3, () => Promise.reject(new Error('the disk is gone')));
  await expect(upgrade([step(2), failing])).rejects.toThrow('the disk is gone');
  expect(stored()).toMatchObject({ format: 2 });
  await upgrade([step(2), step(3)]);
  expect(ran).toEqual(['to 2', 'to 3']);
});

test.each([
  [
    '{"format": 4, "release": "12.1.0"}',
    /was written by release 12\.1\.0 \(format 4\), and this release reads formats up to 3\. Start that release/,
  ],
  ['{"format": 4}', /was written by a later release \(format 4\)/],
  ['{"format": "four"}', /does not say which format/],
  ['{"form', /does not say which format/],
])('%s is refused, and nothing is touched', async (text, reason) => {
  writeFileSync(file(), text);
  await expect(upgrade([step(2), step(3)])).rejects.toThrow(reason);
  await expect(upgrade([step(2), step(3)])).rejects.toThrow(NewerDataError);
  expect([ran, readFileSync(file(), 'utf8')]).toEqual([[], text]);
});
