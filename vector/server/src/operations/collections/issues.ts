// SPDX-License-Identifier: Apache-2.0
import { ServiceError } from '@sextant/contracts-vector';
import type { EngineReads } from '@sextant/vector-collection';
import { operation } from '../operation.ts';

/** The warnings of all collections, and what keeps one from being served or indexed. */
export const issues = operation('issues', async ({ engine }) => {
  const names = await engine.listCollections();
  const found = await Promise.all(
    names.map(async (collection) => (await issuesOf(engine, collection)).map((description) => ({ collection, description }))),
  );
  return { issues: found.flat() };
});

/** Nothing is stored of an issue: each look finds those that there are. */
export const clearIssues = operation('clear_issues', async () => true);

async function issuesOf(engine: EngineReads, collection: string): Promise<readonly string[]> {
  try {
    const { optimizer_status: status, warnings = [] } = await engine.collectionInfo(collection);
    return [...(status === 'ok' ? [] : [status.error]), ...warnings.map(({ message }) => message)];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Deleted meanwhile, which is no issue, or unreadable.
    return error.code === 'collection_unreadable' ? [error.message] : [];
  }
}
