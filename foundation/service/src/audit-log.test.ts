// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manualClock } from '@sextant/foundation-std';
import { openSmallDisk, smallDiskProblem, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type AuditEntry, AuditLog } from './audit-log.ts';

const clock = manualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
const silent = { error: () => undefined };
const entry = (collection: string): AuditEntry => ({
  operation: 'create_collection',
  actor: 'token 7',
  address: '203.0.113.5',
  status: 200,
  target: { collection_name: collection },
});
const linesOf = (path: string): readonly unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('entries are lines of JSON, in a file of its owner that goes on after a restart', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'logs', 'audit.jsonl');
  for (const name of ['a', 'b\n{"operation":"forged"}']) {
    const log = new AuditLog({ path, clock, log: silent });
    log.append(entry(name));
    log.close();
  }
  const time = '2026-01-02T03:04:05.000Z';
  expect(linesOf(path)).toEqual([
    { time, ...entry('a') },
    { time, ...entry('b\n{"operation":"forged"}') },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('long names are cut, and a full file makes room for another one, up to ten', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'audit.jsonl');
  const log = new AuditLog({ path, clock, log: silent, fileBytesMax: 500 });
  for (let index = 0; index < 15; index += 1) log.append(entry(`${index} ${'x'.repeat(5000)}`));
  log.close();
  expect(JSON.stringify(linesOf(path)).length).toBeLessThan(600);
  expect([1, 9, 10].map((number) => existsSync(`${path}.${number}`))).toEqual([true, true, false]);
  expect(linesOf(path)).toMatchObject([{ target: { collection_name: expect.stringMatching(/^14 /) } }]);
  expect(linesOf(`${path}.1`)).toMatchObject([{ target: { collection_name: expect.stringMatching(/^13 /) } }]);
});

test.skipIf(smallDiskProblem() !== undefined)('a full disk is said once, and entries go on when there is room', () => {
  using disk = openSmallDisk(1024 * 1024);
  const path = join(disk.path, 'audit.jsonl');
  const said: string[] = [];
  const log = new AuditLog({ path, clock, log: { error: (_details, message) => void said.push(message) } });
  disk.fill();
  for (let index = 0; index < 200; index += 1) log.append(entry(`full ${'x'.repeat(200)}`));
  expect(said).toEqual(['the audit log cannot be written; entries are lost until it can be written again']);
  disk.empty();
  log.append(entry('after'));
  log.close();
  expect(linesOf(path)).toMatchObject(expect.arrayContaining([expect.objectContaining({ target: { collection_name: 'after' } })]));
});

test('a line that a crash cut is left out', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'audit.jsonl');
  for (const name of ['a', 'b']) {
    const log = new AuditLog({ path, clock, log: silent });
    log.append(entry(name));
    log.close();
    appendFileSync(path, '{"time":"2026');
  }
  new AuditLog({ path, clock, log: silent }).close();
  expect(linesOf(path)).toMatchObject([entry('a'), entry('b')]);
});
