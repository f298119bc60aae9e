// SPDX-License-Identifier: Apache-2.0
/** A node that cannot apply an operation for want of something of its own holds back what follows, and goes on when it can. */
import { StorageError } from '@sextant/vector-storage';
import { expect, test, vi } from 'vitest';
import { hastyClock } from './faulty-log.fixture.ts';
import { openNode, rewind, temporaryCluster } from './replicas.fixture.ts';

const LINE = { vectors: { size: 1, distance: 'Dot' } } as const;
const point = (id: number) => [{ id, vector: [id] }];

test('after a commit that failed, operations come in their order, each once', async () => {
  await using cluster = temporaryCluster();
  const node = await openNode({ directory: cluster.directory('a'), log: cluster.log(), clock: hastyClock });
  const { engine, catalog } = node;
  await engine.createCollection('line', LINE);
  // What the disk says when it is full, for some of the commits: `store` runs inside of the transaction.
  const { followed } = catalog.writer('line');
  const store = vi.spyOn(followed, 'store');
  const fullFor = new Set([1, 3, 4, 6, 7]);
  let commits = 0;
  store.mockImplementation(function mocked(this: typeof followed, transaction, group) {
    commits += 1;
    if (fullFor.has(commits)) throw new StorageError('no room', { path: 'x' });
    const mark = group.findLast((write) => write.mark !== undefined)?.mark ?? followed.applied;
    transaction.putDocument('applied', mark);
    return mark;
  });
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => engine.upsert('line', point(id))));
  expect(results.map(({ operation_id: number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(commits).toBeGreaterThan(fullFor.size);
  store.mockRestore();

  const other = await openNode({ directory: cluster.directory('b'), log: cluster.log(), name: 'b' });
  expect(other.dump('line')).toEqual(node.dump('line'));
  await engine.close();
  await other.engine.close();
});

test('memory is asked about where a write arrives, so no node stays behind for want of it', async () => {
  await using cluster = temporaryCluster();
  const small = await openNode({ directory: cluster.directory('a'), log: cluster.log(), vectorMemoryBytes: 1 });
  const large = await openNode({ directory: cluster.directory('b'), log: cluster.log(), name: 'b' });
  await large.engine.createCollection('line', LINE);
  await large.engine.upsert('line', point(1));
  await small.replicator?.caughtUp();
  await expect(small.engine.upsert('line', point(2))).rejects.toMatchObject({ code: 'memory_exhausted' });
  expect(await small.engine.count('line', {})).toBe(1);
  await small.engine.deletePoints('line', { points: [1] });
  expect(await small.engine.count('line', {})).toBe(0);
  await small.engine.close();
  await large.engine.close();
});

test('a node follows its own log alone, and no log that has lost what it has read', async () => {
  await using cluster = temporaryCluster();
  await using elsewhere = temporaryCluster();
  const directory = cluster.directory('a');
  const node = await openNode({ directory, log: cluster.log() });
  await node.engine.createCollection('line', LINE);
  await node.engine.upsert('line', point(1));
  await node.engine.close();
  await expect(openNode({ directory, log: elsewhere.log() })).rejects.toThrow('is not the log that this node has followed');

  // As after a restore from a backup, whose log has gone on since.
  const lost = cluster.store.entries.pop();
  cluster.store.entries.push({ position: 2, id: 'other', entry: lost?.entry.with(1, 99) ?? new Uint8Array() });
  await expect(openNode({ directory, log: cluster.log() })).rejects.toThrow('has lost entries that this node has read up to 2');
  cluster.store.entries.pop();
  cluster.store.last = 1;
  await expect(openNode({ directory, log: cluster.log() })).rejects.toThrow('has lost entries that this node has read up to 2');

  cluster.store.first = 10;
  cluster.store.last = 9;
  await expect(openNode({ directory: cluster.directory('new'), log: cluster.log() })).rejects.toThrow('now begins at 10');
  const alone = await openNode({ directory: cluster.directory('alone') });
  await alone.engine.createCollection('own', LINE);
  await alone.engine.close();
  await expect(openNode({ directory: cluster.directory('alone'), log: elsewhere.log() })).rejects.toThrow('did not come from the log');
});

test('a node that was killed before it wrote down how far it was still knows what its log has lost', async () => {
  await using cluster = temporaryCluster();
  const directory = cluster.directory('a');
  const node = await openNode({ directory, log: cluster.log() });
  await node.engine.createCollection('line', LINE);
  for (const id of [1, 2]) await node.engine.upsert('line', point(id));
  await node.engine.close();
  rewind(directory, { marks: true });
  const { store } = cluster;
  const [lost] = store.entries.splice(-1);
  store.last -= 1;
  await expect(openNode({ directory, log: cluster.log() })).rejects.toThrow('has lost entries that this node has read up to 3');

  // What takes its place is another entry, which the node would pass over.
  const other = await openNode({ directory: cluster.directory('b'), log: cluster.log(), name: 'b' });
  await other.engine.upsert('line', point(3));
  expect(store.last).toBe(lost?.position);
  await expect(openNode({ directory, log: cluster.log() })).rejects.toThrow('has lost entries that this node has read up to 3');
  await other.engine.close();
});
