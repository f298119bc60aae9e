// SPDX-License-Identifier: Apache-2.0
/** Random operations on a server and on a plain model of it, with restarts in between; every read agrees. A failure prints its seed. */
import type { CreateCollection, Distance } from '@sextant/contracts-vector';
import { type ChildServer, isLongRun, roundsOf, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { contentAgrees } from './agreement.ts';
import { CollectionModel, type VectorShape } from './collection-model.ts';
import { commands, type Real } from './commands.ts';

const RUNS = roundsOf({ quick: 1, long: 120 });
/** Servers are started again and again, which takes long on a machine that is busy with other things. */
const TIMEOUT_MS = 900_000 + RUNS * 60_000;
/** Of a search for the smallest counterexample; below the time limit of a test, so that it is reported. The runs themselves take a fraction. */
const TIME_LIMIT_MS = TIMEOUT_MS - 60_000;

/** One service for all collections, one after the other. */
let directory: TemporaryDirectory;
let server: ChildServer;
let starts = 0;
let collections = 0;

/** With two threads and with one in turn: a start takes longest where there are most. */
const start = () => startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: String(2 - (starts++ % 2)) } });

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await start();
});

afterAll(async () => {
  await server?.kill();
  await directory?.[Symbol.asyncDispose]();
});

const restart: Real['restart'] = async (how) => {
  await server[how]();
  server = await start();
};

const UNNAMED: readonly Distance[] = isLongRun() ? ['Dot', 'Cosine', 'Euclid', 'Manhattan'] : ['Dot'];

test.each<[string, Record<string, VectorShape>]>([
  ...UNNAMED.map((distance): [string, Record<string, VectorShape>] => [`one unnamed ${distance} vector`, { '': { size: 4, distance } }]),
  [
    'named vectors',
    { image: { size: 3, distance: 'Cosine' }, text: { size: 5, distance: 'Euclid' }, sound: { size: 2, distance: 'Manhattan' } },
  ],
])('a collection of %s does what its model does', { timeout: TIMEOUT_MS }, async (_kind, config) => {
  const shapes = new Map(Object.entries(config));
  const request: CreateCollection = { vectors: shapes.get('') ?? config };
  const property = fc.asyncProperty(commands(shapes), async (list) => {
    const name = `run ${collections++}`;
    const api = () => vectorApi(server.client).collection(name);
    expect(await api().create(request)).toBe(true);
    const model = new CollectionModel(shapes);
    await fc.asyncModelRun(() => ({ model, real: { api, restart, lastOperationId: -1 } }), list);
    await contentAgrees(model, api());
    expect(await api().remove()).toBe(true);
  });
  await fc.assert(property, { numRuns: RUNS, plugins: [fc.interruptAfterTimeLimit(TIME_LIMIT_MS, { failOnInterrupt: true })] });
});

test('the service stops in order after all that', () => server.stop());
