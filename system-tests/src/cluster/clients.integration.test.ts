// SPDX-License-Identifier: Apache-2.0
/** The published clients of JavaScript, unchanged, at a cluster of three nodes, by way of any of them: their usual flows go as they do at a single node. */
import { QdrantClient as GrpcClient } from '@qdrant/js-client-grpc';
import { QdrantClient as RestClient } from '@qdrant/js-client-rest';
import { isLongRun, missingNats } from '@sextant/foundation-testing';
import { beforeAll, describe } from 'vitest';
import { grpcClientFlows } from '../clients/qdrant-grpc.conformance.ts';
import { restClientFlows } from '../clients/qdrant-rest.conformance.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { type ClusterNodes, inTurn } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();

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

  // What it sends are the requests that every other test of a cluster sends.
  describe.runIf(isLongRun()).each(WAYS_TO_HOLD)('@qdrant/js-client-rest, a collection $title', ({ held }) => {
    restClientFlows('1.19.0', () => new RestClient({ url: nextNode().address }), held);
  });

  describe.each(WAYS_TO_HOLD)('@qdrant/js-client-grpc, a collection $title', ({ held }) => {
    grpcClientFlows(() => {
      const server = nextNode();
      return { grpc: new GrpcClient({ url: grpcAddressOf(server), https: false }), rest: vectorApi(server.client) };
    }, held);
  });
});
