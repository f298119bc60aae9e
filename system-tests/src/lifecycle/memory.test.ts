// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../until.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';

/** Few rows with many components are quick to send; each fills a block of its own. */
const DIMENSION = 65_536;
const POINTS_PER_WRITE = 100;
const WRITES = 4;
/** 400 vectors with their codes take 131 MB in one piece; nothing else in the process is nearly as large. */
const SPACE_MB = 100;
const DEADLINE_MS = 120_000;
/** A look at all mappings takes the system long. */
const LOOK_MS = 500;

/** Megabytes that are resident in the largest mapping of a process which may be written, and belongs to no file. */
function largestMappingMb(pid: number): number {
  let isAnonymous = false;
  let largest = 0;
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \d+\s*(\S*)/.exec(line);
    if (mapping !== null) isAnonymous = mapping[1]?.startsWith('rw') === true && mapping[2] === '';
    const resident = /^Rss:\s+(\d+) kB/.exec(line);
    if (isAnonymous && resident !== null) largest = Math.max(largest, Number(resident[1]) / 1024);
  }
  return largest;
}

let directory: TemporaryDirectory;
let server: ChildServer;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: '2' } });
});

afterAll(async () => {
  await server.stop();
  await directory[Symbol.asyncDispose]();
});

const VECTOR = Array.from({ length: DIMENSION }, () => 1);
const VECTOR_TEXT = JSON.stringify(VECTOR);

/** Written once: the vectors of a request are 13 MB. */
function bodyOf(ids: readonly number[]): Uint8Array {
  return Buffer.from(`{"points":[${ids.map((id) => `{"id":${id},"vector":${VECTOR_TEXT}}`).join()}]}`);
}

async function fill(server: ChildServer, name: string) {
  const collection = vectorApi(server.client).collection(name);
  await collection.create({ vectors: { size: DIMENSION, distance: 'Dot' }, optimizers_config: { indexing_threshold: 0 } });
  for (let first = 0; first < WRITES * POINTS_PER_WRITE; first += POINTS_PER_WRITE) {
    const body = bodyOf(Array.from({ length: POINTS_PER_WRITE }, (_, index) => first + index));
    expect(await server.client.request('PUT', `/collections/${name}/points`, body)).toMatchObject({ status: 200 });
  }
  return collection;
}

// Only Linux shows the mappings of a process.
test.runIf(process.platform === 'linux')('the memory of a deleted collection goes back to the system', async () => {
  const collection = await fill(server, 'wide');
  expect(largestMappingMb(server.pid)).toBeGreaterThan(SPACE_MB);
  await collection.remove();
  await until(
    'the memory is released',
    DEADLINE_MS,
    async () => (largestMappingMb(server.pid) < SPACE_MB ? true : undefined),
    () => LOOK_MS,
  );
});

test.runIf(process.platform === 'linux')('memory comes back when most points of a collection are deleted', async () => {
  const collection = await fill(server, 'shrinking');
  expect(largestMappingMb(server.pid)).toBeGreaterThan(SPACE_MB);
  const kept = 30;
  await collection.deletePoints({ points: Array.from({ length: POINTS_PER_WRITE * WRITES - kept }, (_, id) => id) });
  await until(
    'the memory is released',
    DEADLINE_MS,
    async () => (largestMappingMb(server.pid) < SPACE_MB ? true : undefined),
    () => LOOK_MS,
  );
  const found = await collection.search({ vector: VECTOR, limit: 100 });
  expect(found.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: kept }, (_, index) => POINTS_PER_WRITE * WRITES - kept + index),
  );
});
