// SPDX-License-Identifier: Apache-2.0
/** An engine whose collections are in three shards does what any engine does. */
import { describeEngine, describeIds, describeMulti, describeSparse, describeVectorNames } from '@sextant/vector-collection/conformance';
import { openNode, temporaryCluster } from './replicas.fixture.ts';

async function openSubject() {
  const cluster = temporaryCluster();
  const open = () => openNode({ directory: cluster.directory('a'), log: cluster.log(), shards: 3 });
  let node = await open();
  const subject = {
    engine: node.engine,
    reopen: async () => {
      await node.engine.close();
      node = await open();
      subject.engine = node.engine;
    },
    [Symbol.asyncDispose]: async () => {
      await node.engine.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
  return subject;
}

describeEngine('engine of three shards', openSubject);
describeIds('engine of three shards', openSubject);
describeMulti('engine of three shards', openSubject);
describeSparse('engine of three shards', openSubject);
describeVectorNames('engine of three shards', openSubject);
