// SPDX-License-Identifier: Apache-2.0
/** The published clients, unchanged, at a cluster of three nodes, by way of any of them: their usual flows go as they do at a single node. */
import { QdrantClient as GrpcClient } from '@qdrant/js-client-grpc';
import { QdrantClient as RestClient } from '@qdrant/js-client-rest';
import { chooseSeed, isLongRun, missingNats, roundsOf } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { missingPythonClients, type PythonVerdict, runPythonPrograms } from '../clients/python-programs.ts';
import { grpcClientFlows } from '../clients/qdrant-grpc.conformance.ts';
import { restClientFlows } from '../clients/qdrant-rest.conformance.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { type ClusterNodes, inTurn } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();

const SEED = chooseSeed();
const ROUNDS = roundsOf({ quick: 3, long: 200 });

/** Each node has a part of the collection and none has all of it. */
const IN_SHARDS = { shard_number: 3, replication_factor: 2 };
/** Where every node has a collection, each answers as a single one does. */
const WAYS_TO_HOLD = [...(isLongRun() ? [{ title: 'on every node', held: {} }] : []), { title: 'in shards', held: IN_SHARDS }];

describe.skipIf(missing !== undefined)(missing ?? 'at three nodes over NATS', () => {
  let cluster: ClusterNodes;

  beforeAll(async () => {
    ({ cluster } = await sharedCluster());
  });

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
    // Each of the two interfaces and each of the two kinds of client once: all four pairs take place at a single node.
    const MANNERS = isLongRun() ? undefined : ['rest sync', 'grpc async', 'grpc'];
    const CALLS = isLongRun() ? ['rest sync', 'rest async', 'grpc sync', 'grpc async'] : ['rest sync', 'grpc async'];
    const CONGRUENCE = isLongRun() ? ['rest', 'grpc'] : ['grpc'];

    test.each([
      ...(isLongRun() ? [['on every node', [['qdrant_calls.py', CALLS]]] as const] : []),
      [
        'in shards, also beside its own implementation in memory',
        [
          ['qdrant_calls.py,shards', CALLS],
          [`congruence_calls.py,${SEED},${ROUNDS},shards`, CONGRUENCE],
        ],
      ] as const,
    ])('a collection %s', async (_, programs) => {
      const outcomes = await runPythonPrograms(
        cluster.servers,
        programs.map(([program]) => program),
        MANNERS,
      );
      for (const [program, manners] of programs) expectAllPassed(outcomes.printedBy(program.split(',')[0] ?? ''), manners);
    });

    function expectAllPassed(printed: string, manners: readonly string[]): void {
      const verdicts = JSON.parse(printed) as { readonly [manner: string]: PythonVerdict };
      expect(Object.keys(verdicts)).toEqual(manners);
      for (const [manner, { failed, passed }] of Object.entries(verdicts)) {
        expect({ seed: SEED, manner, failed }).toEqual({ seed: SEED, manner, failed: {} });
        expect(passed.length).toBeGreaterThan(14);
      }
    }
  });
});
