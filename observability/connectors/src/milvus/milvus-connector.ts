// SPDX-License-Identifier: Apache-2.0
/** Collections of Milvus and Zilliz Cloud, through the official client, which operators install where they want it. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Connector, OpenConnection } from '../connector.ts';
import { pointsSource } from '../formats/points-source.ts';
import { type Payload, requiredText } from '../payload.ts';
import { milvusServerOf, openMilvus } from './milvus-client.ts';
import { milvusCollection } from './milvus-collection.ts';

export function createMilvusConnector(outbound: OutboundGuard): Connector {
  const openSession = ({ payload, credential }: OpenConnection, signal: AbortSignal) =>
    openMilvus(milvusServerOf(payload, credential), outbound, signal);
  return {
    kind: 'MILVUS',
    validateConnection: (payload, credential) => {
      milvusServerOf(payload, credential);
    },
    validateAsset: (payload) => {
      collectionOf(payload);
    },
    test: async (connection, signal) => {
      await using session = await openSession(connection, signal);
      await session.call((client) => client.showCollections());
    },
    list: async (connection, { limit, signal }) => {
      await using session = await openSession(connection, signal);
      const { data } = await session.call((client) => client.showCollections());
      const names = data.map(({ name }) => name).toSorted();
      return names.slice(0, limit).map((name) => ({ payload: { collection: name }, name, bytes: null, modified_at: null }));
    },
    ...pointsSource(async (connection, location, { signal, resources }) =>
      milvusCollection(resources.use(await openSession(connection, signal)), collectionOf(location.payload)),
    ),
  };
}

function collectionOf(payload: Payload): string {
  return requiredText(payload, 'collection', 'the name of a collection');
}
