// SPDX-License-Identifier: Apache-2.0
/** `sextant vectors check` as a process: files without a service, and collections of one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { environmentOf, sextant } from './sextant.ts';

const DIMENSION = 24;
const POINTS = 400;
const SPOILT = 20;

let directory: TemporaryDirectory;
let server: ChildServer;
let good: readonly (readonly number[])[];
let bad: readonly (readonly number[])[];

const at = (name: string) => join(directory.path, name);
const check = (...args: readonly string[]) =>
  sextant(['vectors', 'check', ...args], environmentOf(directory.path, { SEXTANT_URL: server.address }));

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await sharedVectorServer();
  const random = seededRandom(21);
  const noise = () => random.next() + random.next() + random.next() - 1.5;
  const topics = Array.from({ length: 8 }, () => Array.from({ length: DIMENSION }, noise));
  const embedded = () => Array.from({ length: POINTS }, (_, index) => (topics[index % 8] ?? []).map((value) => value + 0.3 * noise()));
  good = embedded();
  bad = embedded().map((vector, index) => (index % (POINTS / SPOILT) === 3 ? vector.map(() => 0) : vector));
  const rows = (vectors: typeof good) =>
    vectors.map((vector, id) => JSON.stringify({ id, vector, kind: id % 2 === 0 ? 'even' : 'odd' })).join('\n');
  await Promise.all([writeFile(at('good.ndjson'), rows(good)), writeFile(at('bad.ndjson'), rows(bad))]);
});
afterAll(() => directory[Symbol.asyncDispose]());

test('a file is checked by itself, and what was not compared is said', async () => {
  const { code, stdout } = await check(at('bad.ndjson'));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1 check failed, 1 check found something unusual, 7 passed, 7 checks could not be run\.$/m);
  expect(stdout).toMatch(/^zero vectors +the vector +FAILED +20 +400 /m);
  expect(stdout).toMatch(/^3 +The vector is zero$/m);
});

test('against vectors that were good, findings can end with a code of their own', async () => {
  const failed = await check(at('bad.ndjson'), '--against', at('good.ndjson'), '--fail-on-findings', '--json');
  expect(failed.code).toBe(8);
  const { findings, points } = JSON.parse(failed.stdout) as {
    points: number;
    findings: { check: string; status: string; found: number }[];
  };
  expect(points).toBe(POINTS);
  expect(findings.find(({ check: name }) => name === 'zero vectors')).toMatchObject({ status: 'failed', found: SPOILT });
  const fine = await check(at('good.ndjson'), '--against', at('good.ndjson'), '--payload', 'kind');
  expect(fine.stdout).toMatch(/^0 checks failed, \d+ passed, 1 check could not be run\.$/m);
});

test('a collection is checked, and its recall measured', async () => {
  const collection = vectorApi(server.client).collection('words');
  await collection.create({ vectors: { size: DIMENSION, distance: 'Euclid' } });
  await collection.upsert(bad.map((vector, id) => ({ id, vector, payload: { kind: id % 2 === 0 ? 'even' : 'odd' } })));
  const { code, stdout, stderr } = await check('words', '--against', at('good.ndjson'), '--json');
  // On a busy machine the progress is reported there.
  expect(code, stderr).toBe(0);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; found: number; detail: string }[] };
  expect(findings.find(({ check: name }) => name === 'zero vectors')).toMatchObject({ status: 'failed', found: SPOILT });
  expect(findings.find(({ check: name }) => name === 'recall of searches')).toMatchObject({ status: 'passed' });
});

test('the payload member that the vectors are made from is found, or set', async () => {
  const random = seededRandom(22);
  const written = () =>
    Array.from({ length: POINTS }, (_, id) => {
      const topic = id % 8;
      const vector = Array.from({ length: 8 }, (_value, dimension) => (dimension === topic ? 3 : 0) + random.next());
      const body = Array.from({ length: 6 }, () => `topic${topic}word${Math.floor(random.next() * 20)}`).join(' ');
      return JSON.stringify({ id, vector, body, kind: id % 2 === 0 ? 'even' : 'odd' });
    }).join('\n');
  await Promise.all([writeFile(at('texts.ndjson'), written()), writeFile(at('more-texts.ndjson'), written())]);
  const textsOf = async (...option: readonly string[]) =>
    (await check(at('more-texts.ndjson'), '--against', at('texts.ndjson'), ...option)).stdout.match(/^texts that do not agree.*$/m)?.[0];
  expect(await textsOf()).toMatch(/passed .*\(payload member body, found\)/);
  expect(await textsOf('--text-member', 'body')).toMatch(/passed .*\(payload member body, set\)/);
  expect(await textsOf('--text-member', 'bodi')).toMatch(/not checked .*of the text: bodi is not a payload member .*did you mean body\?/);
  expect(await textsOf('--text-member', 'kind')).toMatch(/not checked .*0 have a text in kind that can be judged, and 100 are needed/);
});

test('what is neither a file nor a collection ends with a sentence', async () => {
  expect(await check('nothing')).toMatchObject({ code: 5, stderr: expect.stringContaining('nothing') });
  expect(await check(at('gone.npy'))).toMatchObject({ code: 7, stderr: expect.stringContaining('does not exist') });
});
