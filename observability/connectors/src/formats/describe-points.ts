// SPDX-License-Identifier: Apache-2.0
import type { Description, VectorCollectionAccess } from '../connector.ts';
import { jsonColumns } from './json-records.ts';

/** The members of the payloads of a first page. */
export async function describePoints(collection: VectorCollectionAccess, signal: AbortSignal): Promise<Description> {
  for await (const page of collection.points({ signal })) {
    return { columns: jsonColumns(page.map(({ payload }) => payload)), modified_at: null, bytes: null };
  }
  return { columns: [], modified_at: null, bytes: null };
}
