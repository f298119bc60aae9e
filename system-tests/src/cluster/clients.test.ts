// SPDX-License-Identifier: Apache-2.0
/** The published clients, unchanged, at a cluster of three nodes, by way of any of them: their usual flows go as they do at a single node. */
import { QdrantClient as GrpcClient } from '@qdrant/js-client-grpc';
import { QdrantClient as RestClient } from '@qdrant/js-client-rest';
import { chooseSeed, isLongRun, roundsOf } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingPythonClients, type PythonVerdict, runPythonPrograms } from '../clients/python-programs.ts';
import { grpcClientFlows } from '../clients/qdrant-grpc.conformance.ts';
import { restClientFlows } from '../clients/qdrant-rest.conformance.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { type ClusterNodes, inTurn, LOGS, startCluster } from './cluster-nodes.ts';

const { missing, start } = LOGS.NATS ?? { missing: 'no NATS', start: () => Promise.reject(new Error('no NATS')) };

const SEED = chooseSeed();
const ROUNDS = roundsOf({ quick: 4, long: 200 });

/** Each node has a part of the collection and none has all of it. */
const IN_SHARDS = { shard_number: 4, replication_factor: 2 };
/** Where every node has a collection, each answers as a single one does. */
const WAYS_TO_HOLD = [...(isLongRun() ? [{ title: 'on every node', held: {} }] : []), { title: 'in shards', held: IN_SHARDS }];

describe.skipIf(missing !== undefined)(missing ?? 'at three nodes over NATS', () => {
  const started = new AsyncDisposableStack();
  let cluster: ClusterNodes;

  beforeAll(async () => {
    cluster = started.use(await startCluster(started.use(await start())));
  });
  afterAll(() => started.disposeAsync());

  /** The next test goes by way of the next node. */
  const nextNode = inTurn(() => cluster);

  describe.each(WAYS_TO_HOLD)('@qdrant/js-client-rest, a collection $title', ({ held }) => {
    restClientFlows('1.19.0', () => new RestClient({ url: nextNode().address }), held);
  });

  describe.each(WAYS_TO_HOLD)('@qdrant/js-client-grpc, a collection $title', ({ held }) => {
    grpcClientFlows(() => {
      const server = nextNode();
      return { grpc: new GrpcClient({ url: grpcAddressOf(server), https: false }), rest: vectorApi(server.client) };
    }, held);
  });

  describe.skipIf(missingPythonClients !== undefined)(`qdrant-client of Python${missingPythonClients ?? ''}`, () => {
    test.each([
      ...(isLongRun() ? [['on every node', 'qdrant_calls.py', ['rest sync', 'rest async', 'grpc sync', 'grpc async']] as const] : []),
      ['in shards', 'qdrant_calls.py,shards', ['rest sync', 'rest async', 'grpc sync', 'grpc async']] as const,
      ['in shards, beside its own implementation in memory', `congruence_calls.py,${SEED},${ROUNDS},shards`, ['rest', 'grpc']] as const,
    ])('a collection %s', async (_, program, manners) => {
      const outcomes = await runPythonPrograms(cluster.servers, [program]);
      const verdicts = JSON.parse(outcomes.printedBy(program.split(',')[0] ?? '')) as { readonly [manner: string]: PythonVerdict };
      expect(Object.keys(verdicts)).toEqual(manners);
      for (const [manner, { failed, passed }] of Object.entries(verdicts)) {
        expect({ seed: SEED, manner, failed }).toEqual({ seed: SEED, manner, failed: {} });
        expect(passed.length).toBeGreaterThan(14);
      }
    });
  });
});
