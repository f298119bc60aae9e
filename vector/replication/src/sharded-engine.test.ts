// SPDX-License-Identifier: Apache-2.0
/** An engine whose collections are in shards does what any engine does. */
import { roundsOf } from '@sextant/foundation-testing';
import { describeEngine, describeIds, describeMulti, describeSparse, describeVectorNames } from '@sextant/vector-collection/conformance';
import { openNode, temporaryCluster } from './replicas.fixture.ts';

/** With the definition of a collection, one store more. */
const SHARDS = roundsOf({ quick: 2, long: 3 });

async function openSubject() {
  const cluster = temporaryCluster();
  const open = () => openNode({ directory: cluster.directory('a'), log: cluster.log(), shards: SHARDS });
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

describeEngine('engine of shards', openSubject);
describeIds('engine of shards', openSubject);
describeMulti('engine of shards', openSubject);
describeSparse('engine of shards', openSubject);
describeVectorNames('engine of shards', openSubject);
