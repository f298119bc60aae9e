// SPDX-License-Identifier: Apache-2.0
/** An engine whose writes go through a log does what any engine does, also while another node follows the same log. */
import { describeEngine } from '@sextant/vector-collection/conformance';
import { openNode, temporaryCluster } from './replicas.fixture.ts';

async function openSubject() {
  const cluster = temporaryCluster();
  const other = await openNode({ directory: cluster.directory('other'), log: cluster.log(), name: 'other' });
  const open = () => openNode({ directory: cluster.directory('a'), log: cluster.log() });
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
      await other.engine.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
  return subject;
}

describeEngine('engine in a cluster', openSubject);
