// SPDX-License-Identifier: Apache-2.0
/** The clients of the crash test, side by side over one service, and what each of them knows after a crash. */
import type { Random } from '@sextant/foundation-std';
import type { VectorApi } from '../vector-api.ts';
import { AliasClient } from './alias-client.ts';
import { inspect } from './inspection.ts';
import { PointLedger } from './ledger.ts';
import { branchOf, type Step } from './load.ts';
import { MaintenanceClient } from './maintenance-client.ts';
import { PointClient } from './point-client.ts';
import { MIXED, PLAIN } from './point-shape.ts';
import { GenerationClient, KEPT, SnapshotClient } from './snapshot-client.ts';
import { CollectionClient, IndexClient, VectorClient } from './structure-client.ts';

const PLAIN_CLIENTS = 3;
const MIXED_CLIENTS = 2;
const MIXED_IDS = 60;
const PLAIN_COLLECTION = 'load';
const MIXED_COLLECTION = 'mixed';

export function crashFixture(random: Random, directory: string) {
  const plain = new PointLedger(PLAIN);
  const mixed = new PointLedger(MIXED);
  const clientsOf = (ledger: PointLedger, count: number, idCount?: number) =>
    Array.from({ length: count }, (_, owner) => new PointClient({ owner, ledger, random: branchOf(random), ...(idCount && { idCount }) }));
  const plainClients = clientsOf(plain, PLAIN_CLIENTS);
  const mixedClients = clientsOf(mixed, MIXED_CLIENTS, MIXED_IDS);
  const indexes = new IndexClient(branchOf(random));
  const dense = new VectorClient({ dense: { size: 2, distance: 'Dot' } });
  const sparse = new VectorClient({ sparse: {} });
  const collections = new CollectionClient(branchOf(random));
  const aliases = new AliasClient([PLAIN_COLLECTION, MIXED_COLLECTION]);
  const generations = new GenerationClient();
  const snapshots = new SnapshotClient({ generations, directory });
  const maintenance = new MaintenanceClient(branchOf(random), [PLAIN_COLLECTION, MIXED_COLLECTION]);
  const steps: readonly Step[] = [
    ...plainClients.map(
      (client): Step =>
        (vectors) =>
          client.step(vectors.collection(PLAIN_COLLECTION)),
    ),
    ...mixedClients.map(
      (client): Step =>
        (vectors) =>
          client.step(vectors.collection(MIXED_COLLECTION)),
    ),
    (vectors) => indexes.step(vectors.collection(PLAIN_COLLECTION)),
    (vectors) => dense.step(vectors.collection(PLAIN_COLLECTION)),
    (vectors) => sparse.step(vectors.collection(MIXED_COLLECTION)),
    (vectors) => collections.step(vectors),
    (vectors) => aliases.step(vectors),
    (vectors) => generations.step(vectors.collection(KEPT)),
    (vectors) => snapshots.step(vectors),
    (vectors) => maintenance.step(vectors),
  ];
  return {
    steps,
    create: async (vectors: VectorApi) => {
      await vectors.collection(PLAIN_COLLECTION).create(PLAIN.config);
      await vectors.collection(MIXED_COLLECTION).create(MIXED.config);
      await vectors.collection(KEPT).create(PLAIN.config);
    },
    reconcile: async (vectors: VectorApi) => {
      await inspect(vectors.collection(PLAIN_COLLECTION), plain);
      await inspect(vectors.collection(MIXED_COLLECTION), mixed);
      await indexes.reconcile(vectors.collection(PLAIN_COLLECTION));
      await dense.reconcile(vectors.collection(PLAIN_COLLECTION));
      await sparse.reconcile(vectors.collection(MIXED_COLLECTION));
      await collections.reconcile(vectors, inspect);
      await aliases.reconcile(vectors);
      await inspect(vectors.collection(KEPT), generations.ledger);
      generations.reconcile();
      await snapshots.reconcile(vectors);
    },
  };
}
