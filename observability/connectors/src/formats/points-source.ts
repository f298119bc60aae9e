// SPDX-License-Identifier: Apache-2.0
/** Sources of points with vectors, which are read page by page. */
import type { AssetLocation, Connector, Description, OpenConnection, VectorCollectionAccess } from '../connector.ts';
import { jsonColumns } from './json-records.ts';

type Opening = {
  readonly signal: AbortSignal;
  /** What the collection is read through; it is released with the source. */
  readonly resources: AsyncDisposableStack;
};
type OpenCollection = (connection: OpenConnection, location: AssetLocation, opening: Opening) => Promise<VectorCollectionAccess>;

export function pointsSource(openCollection: OpenCollection): Pick<Connector, 'describe' | 'open'> {
  return {
    describe: async (connection, location, signal) => {
      await using resources = new AsyncDisposableStack();
      return await describePoints(await openCollection(connection, location, { signal, resources }), signal);
    },
    open: async (connection, location, { signal }) => {
      await using resources = new AsyncDisposableStack();
      const collection = await openCollection(connection, location, { signal, resources });
      const description = await describePoints(collection, signal);
      const release = resources.move();
      return {
        description,
        data: { kind: 'vectors', collection },
        // A snapshot and a version of a table do not change; of a collection that changes all the time each page is whole.
        confirmUnchanged: async () => {},
        [Symbol.asyncDispose]: () => release.disposeAsync(),
      };
    },
  };
}

/** The members of the payloads of a first page. */
async function describePoints(collection: VectorCollectionAccess, signal: AbortSignal): Promise<Description> {
  for await (const page of collection.points({ signal })) {
    return { columns: jsonColumns(page.map(({ payload }) => payload)), modified_at: null, bytes: null };
  }
  return { columns: [], modified_at: null, bytes: null };
}
