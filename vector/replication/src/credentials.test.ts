// SPDX-License-Identifier: Apache-2.0
/** Credentials that nodes change by way of their log. */
import type { CredentialsOperation } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { rewind, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const token = (node: string, revision: number): CredentialsOperation => ({
  kind: 'change_credentials',
  revision,
  changes: [
    { kind: 'put', key: 'auth/last-token-id', value: revision + 1 },
    { kind: 'put', key: `auth/tokens/${revision + 1}`, value: { node } },
    // Of others' documents, an operation of this kind changes none.
    { kind: 'put', key: 'aliases', value: [['mine', 'yours']] },
  ],
});

async function openCluster() {
  const cluster = temporaryCluster();
  const open = (name: string) => cluster.open({ directory: cluster.directory(name), log: cluster.log(), name });
  return { cluster, open, nodes: [await open('north'), await open('east')] as const };
}

async function expectSame(nodes: readonly TestNode[]): Promise<readonly unknown[]> {
  for (const { replicator } of nodes) await replicator?.caughtUp();
  const [first = [], ...others] = nodes.map(({ catalog }) => catalog.credentials.documents());
  for (const other of others) expect(other).toEqual(first);
  return first;
}

test('of two changes of one state the log takes the first, on every node', async () => {
  const { cluster, nodes } = await openCluster();
  await using _ = cluster;
  for (let revision = 0; revision < 5; revision++) {
    const both = await Promise.allSettled(nodes.map(async (node, at) => node.replicator?.onCatalog(token(String(at), revision))));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'credentials_changed' } });
  }
  const documents = await expectSame(nodes);
  expect(documents).toHaveLength(7);
  expect(documents).toContainEqual({ key: 'auth-revision', value: 5 });
  for (const { catalog } of nodes) expect(catalog.aliases()).toEqual([]);
});

test('a node that reads the log again does nothing twice', async () => {
  const { cluster, open, nodes } = await openCluster();
  await using _ = cluster;
  const [north, east] = nodes;
  await north.replicator?.onCatalog(token('north', 0));
  await expect(east.replicator?.onCatalog(token('east', 0))).rejects.toMatchObject({ code: 'credentials_changed' });
  await north.replicator?.onCatalog(token('north', 1));
  const before = await expectSame(nodes);
  await east.engine.close();
  rewind(cluster.directory('east'), { marks: true });
  expect(await expectSame([north, await open('east')])).toEqual(before);
});
