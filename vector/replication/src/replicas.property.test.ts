// SPDX-License-Identifier: Apache-2.0
/**
 * Operations by chance, given to two nodes of a cluster at random, against the same operations given to a service without a log, in the order that the log
 * gave them: the same points, versions and answers everywhere, also on a node that is stopped again and again, and on one that joins at the end.
 */
import { type PointInput, ServiceError } from '@sextant/contracts-vector';
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { isCatalogOperation, localRunner, type WriteOperation } from '@sextant/vector-collection';
import { assert, asyncProperty, constant, constantFrom, integer, oneof, option, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBatch } from './batch.ts';
import { faultyLog, hastyClock } from './faulty-log.fixture.ts';
import { decodeOperation } from './operation-codec.ts';
import { openNode, rewind, type TestNode, temporaryCluster } from './replicas.fixture.ts';

/** Of a hundred calls of the log. */
const FAULTS = 10;
const NAMES = ['red', 'blue'] as const;
const collection = constantFrom(...NAMES, 'alias');
const id = oneof(integer({ min: 0, max: 12 }), constantFrom('11111111-2222-4333-8444-555555555555', 9007199254740993n));
const filter = record({ must: record({ key: constant('n'), range: record({ gte: integer({ min: 0, max: 9 }) }) }) });
const point = record({ id, x: integer({ min: -50, max: 50 }), n: integer({ min: 0, max: 9 }), isFloat: constantFrom(true, false) });
const pointOf = ({ id: of, x, n, isFloat }: { id: PointInput['id']; x: number; n: number; isFloat: boolean }): PointInput => ({
  id: of,
  vector: isFloat ? Float32Array.of(x / 7, n) : [x / 7, n],
  payload: { n, text: `of ${x}` },
});
const points = uniqueArray(point, { minLength: 1, maxLength: 4, selector: (each) => each.id }).map((each) => each.map(pointOf));
const selector = oneof(
  uniqueArray(id, { minLength: 1, maxLength: 3 }).map((ids) => ({ points: ids })),
  filter.map((each) => ({ filter: each })),
);

const operation = oneof<ReturnType<typeof constant<WriteOperation>>[]>(
  { weight: 8, arbitrary: record({ kind: constant('upsert' as const), collection, points }) } as never,
  {
    weight: 3,
    arbitrary: record({
      kind: constant('upsert' as const),
      collection,
      points,
      condition: record({ mode: constantFrom('insert_only', 'update_only') }),
    }),
  } as never,
  { weight: 2, arbitrary: record({ kind: constant('upsert' as const), collection, points, condition: record({ filter }) }) } as never,
  { weight: 3, arbitrary: record({ kind: constant('delete_points' as const), collection, selector }) } as never,
  {
    weight: 2,
    arbitrary: record({
      kind: constant('update_vectors' as const),
      collection,
      points: points.map((each) => each.map(({ id: of, vector }) => ({ id: of, vector }))),
    }),
  } as never,
  {
    weight: 2,
    arbitrary: record({
      kind: constant('set_payload' as const),
      collection,
      change: record({ selector, payload: record({ m: integer() }) }),
    }),
  } as never,
  { weight: 1, arbitrary: record({ kind: constant('clear_payload' as const), collection, selector }) } as never,
  { weight: 1, arbitrary: record({ kind: constant('move_points' as const), collection, token: constant('none') }) } as never,
  {
    weight: 1,
    arbitrary: record({
      kind: constant('create_field_index' as const),
      collection,
      field: constant('n'),
      schema: record({ type: constant('integer') }),
    }),
  } as never,
  { weight: 1, arbitrary: record({ kind: constant('delete_field_index' as const), collection, field: constant('n') }) } as never,
  {
    weight: 1,
    arbitrary: record({ kind: constant('update_collection' as const), collection, update: record({ metadata: record({ a: integer() }) }) }),
  } as never,
  { weight: 1, arbitrary: record({ kind: constant('delete_collection' as const), collection: constantFrom(...NAMES) }) } as never,
  {
    weight: 2,
    arbitrary: record({
      kind: constant('create_collection' as const),
      collection: constantFrom(...NAMES),
      request: constant({ vectors: { size: 2, distance: 'Euclid' } }),
    }),
  } as never,
  {
    weight: 1,
    arbitrary: constantFrom(...NAMES).map((name) => ({
      kind: 'change_aliases' as const,
      actions: [{ delete_alias: { alias_name: 'alias' } }, { create_alias: { alias_name: 'alias', collection_name: name } }],
    })),
  } as never,
);
const step = record({
  operation,
  at: integer({ min: 0, max: 1 }),
  awaited: constantFrom(true, false),
  restart: option(record({ node: integer({ min: 0, max: 1 }), isKilled: constantFrom(true, false) }), { freq: 12 }),
});

test('nodes that follow one log are equal to each other and to a service without a log', async () => {
  await assert(
    asyncProperty(uniqueArray(step, { minLength: 5, maxLength: 30, selector: (each) => each }), integer(), async (steps, seed) => {
      await using cluster = temporaryCluster();
      const random = seededRandom(seed);
      const nodes: TestNode[] = [];
      const start = async (at: number) => {
        const name = `node${at}`;
        const log = faultyLog(cluster.log(), random, FAULTS);
        nodes[at] = await openNode({ directory: cluster.directory(name), log, name, clock: hastyClock });
      };
      await start(0);
      await start(1);
      const create = { vectors: { size: 2, distance: 'Euclid' } } as const;
      for (const name of NAMES) await nodes[0]?.engine.createCollection(name, create);
      const answers = new Map<WriteOperation, Promise<string>>();
      for (const { operation: given, at, awaited, restart } of steps) {
        const answer = outcomeOf(run(nodes[at], given));
        answers.set(given, answer);
        if (awaited) await answer;
        if (restart === null) continue;
        await Promise.all(answers.values());
        await nodes[restart.node]?.engine.close();
        if (restart.isKilled) rewind(cluster.directory(`node${restart.node}`), { marks: true });
        await start(restart.node);
      }
      await Promise.all(answers.values());
      for (const { replicator } of nodes) await replicator?.caughtUp();

      // The same again, one by one, where there is no log; and on a node that has none of it yet.
      const alone = await openNode({ directory: cluster.directory('alone') });
      const refusals: string[] = [];
      for (const { entry } of cluster.store.entries) {
        for (const bytes of decodeBatch(entry).operations) refusals.push(await outcomeOf(run(alone, decodeOperation(bytes))));
      }
      await start(2);
      const all = [...nodes, alone];
      const names = await alone.engine.listCollections();
      for (const node of all) {
        const { engine, catalog, failures } = node;
        expect(failures).toEqual([]);
        expect(await engine.listCollections()).toEqual(names);
        expect(catalog.aliases()).toEqual(alone.catalog.aliases());
        for (const name of names) {
          expect(node.dump(name)).toEqual(alone.dump(name));
          expect(await found(engine, name)).toEqual(await found(alone.engine, name));
        }
      }
      const given = await Promise.all(answers.values());
      expect(given.toSorted()).toEqual(refusals.slice(NAMES.length).toSorted());
      for (const { engine } of all) await engine.close();
    }),
    { numRuns: roundsOf({ quick: 4, long: 500 }) },
  );
});

test('what a node knows of its log in its collections keeps it from applying anything twice', async () => {
  const versionsAfter = async (marks: boolean) => {
    await using cluster = temporaryCluster();
    const directory = cluster.directory('a');
    const node = await openNode({ directory, log: cluster.log() });
    await node.engine.createCollection('red', { vectors: { size: 1, distance: 'Dot' } });
    await node.engine.upsert('red', [{ id: 1, vector: [1], payload: { n: 1 } }]);
    await node.engine.upsert('red', [{ id: 1, vector: [2], payload: { n: 2 } }], { filter: { must: { key: 'n', match: { value: 1 } } } });
    await node.engine.deletePoints('red', { filter: { must: { key: 'n', match: { value: 1 } } } });
    const before = node.dump('red');
    await node.engine.close();
    rewind(directory, { marks });
    const again = await openNode({ directory, log: cluster.log() });
    const after = again.dump('red');
    await again.engine.close();
    return { before, after };
  };
  const kept = await versionsAfter(true);
  expect(kept.after).toEqual(kept.before);
  // Without the marks the same run goes wrong, so the comparison would notice.
  const lost = await versionsAfter(false);
  expect(lost.after).not.toEqual(lost.before);
});

function run(node: TestNode | undefined, operation: WriteOperation): Promise<unknown> {
  if (node === undefined) throw new Error('every node is started first');
  const runner = node.replicator ?? localRunner(node.catalog);
  return isCatalogOperation(operation) ? runner.onCatalog(operation) : runner.onCollection(operation);
}

/** As text: two nodes have answered alike where the texts are the same. */
function outcomeOf(result: Promise<unknown>): Promise<string> {
  return result.then(
    (value) => JSON.stringify(value),
    (error: unknown) => (error instanceof ServiceError ? `${error.code}: ${error.message}` : String(error)),
  );
}

async function found(engine: TestNode['engine'], name: string) {
  const nearest = await engine.nearest(name, { vector: [1, 2], limit: 100, params: { exact: true } });
  const within = await engine.count(name, { filter: { must: { key: 'n', range: { gte: 3 } } } });
  const { payload_schema, config } = await engine.collectionInfo(name);
  return { hits: nearest.map(({ id: of, score }) => `${score} ${of}`).toSorted(), within, payload_schema, config };
}
