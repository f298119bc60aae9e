// SPDX-License-Identifier: Apache-2.0
/** Data directories of every earlier release are opened by this one, answer as they did, and take writes. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringifyJson } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { startVectorServer, VECTOR_ENTRY, vectorEnvironment } from '../vector-server.ts';
import { releasedDirectories } from './released.ts';
import { observabilityAnswers } from './seeded-observability.ts';
import { answersOf, seededEnvironment } from './seeded-vectors.ts';

const vectorReleases = releasedDirectories('vector');
const observabilityReleases = releasedDirectories('observability');

test('there are directories of earlier releases to open', () => {
  expect(vectorReleases.map(({ release }) => release)).toContain('0.1.0');
  expect(observabilityReleases.map(({ release }) => release)).toContain('0.1.0');
});

test.each(vectorReleases)('vectors of release $release answer as they did, before and after a write', async ({ answers, unpack }) => {
  await using directory = await temporaryDirectory();
  unpack(directory.path);
  const planned = planOf(directory.path);
  expect(JSON.parse(planned.stdout)).toMatchObject({
    stored: { format: 1 },
    format: 2,
    steps: [{ format: 2, what: expect.stringContaining('checksums') }],
  });
  await using server = await startVectorServer({ directory: directory.path, environment: seededEnvironment });
  expect(asJson(await answersOf(server))).toEqual(asJson(answers));
  // What a build looks at that knows the former format alone, before it reads a record.
  expect(JSON.parse(readFileSync(join(directory.path, 'data-version.json'), 'utf8'))).toMatchObject({ format: 2 });
  // Each point is written again as it is, so that old and new records stand beside each other first, and new ones alone then.
  for (const id of [1, 2]) {
    const { body } = await server.client.request('POST', '/collections/plain/points', { ids: [id], with_payload: true, with_vector: true });
    await server.client.request('PUT', '/collections/plain/points?wait=true', { points: (body as { readonly result: unknown }).result });
  }
  await server.stop();
  await using again = await startVectorServer({ directory: directory.path, environment: seededEnvironment });
  expect(asJson(await answersOf(again))).toEqual(asJson(answers));
  await again.stop();
});

test('data of a later release is refused with a sentence, and left as it is', async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'data-version.json');
  const text = '{"format": 1000, "release": "99.0.0"}';
  writeFileSync(file, text);
  const start = startVectorServer({ directory: directory.path });
  await expect(start).rejects.toThrow(/sextant: The data directory .* was written by release 99\.0\.0 \(format 1000\)/);
  expect(readFileSync(file, 'utf8')).toBe(text);
  const planned = planOf(directory.path);
  expect([planned.status, planned.stderr]).toEqual([1, expect.stringContaining('was written by release 99.0.0')]);
  rmSync(file);
  expect(JSON.parse(planOf(directory.path).stdout)).toMatchObject({ stored: { format: 2 }, steps: [] });
});

test.each(observabilityReleases)('the observability data of release $release answers as it did', async ({ answers, unpack }) => {
  await using directory = await temporaryDirectory();
  unpack(directory.path);
  await using server = await startObservabilityServer({ directory: directory.path });
  expect(asJson(await observabilityAnswers(server))).toEqual(asJson(answers));
  await server.stop();
});

/** What the next start would do. */
function planOf(directory: string) {
  const env = { ...process.env, ...vectorEnvironment(directory), SERVICE_JWT_SECRET: '' };
  return spawnSync(process.execPath, [VECTOR_ENTRY, '--plan-upgrade'], { env, encoding: 'utf8' });
}

/** Numbers beyond 2^53 are exact, and compared as they are written. */
function asJson(value: unknown): unknown {
  return JSON.parse(stringifyJson(value).replaceAll(/:(\d{16,})([,}\]])/g, ':"$1"$2'));
}
