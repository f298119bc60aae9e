// SPDX-License-Identifier: Apache-2.0
/**
 * An upload is a file first and a row of the metadata afterwards, and goes the other way round. What a crash between the two leaves
 * behind is a file that nobody can name. It is removed once no upload of it can be under way any more.
 */
import type { UploadArea } from '@sextant/observability-connectors';
import type { Metadata } from '@sextant/observability-metadata';

/**
 * Answers how many files were removed.
 *
 * @param options.changedBeforeMs only those that nobody has changed since, where other processes may be receiving uploads
 */
export async function removeStrayUploads(
  metadata: Metadata,
  area: UploadArea,
  { changedBeforeMs }: { readonly changedBeforeMs: number },
): Promise<number> {
  let removed = await area.removeUnfinished(changedBeforeMs);
  for (const { id: tenantId } of await metadata.platform.tenants.list()) {
    // The files first: whoever has a file that lies there for long has its row by then.
    const files = (await area.list(tenantId, { changedBeforeMs })).map(({ id }) => id);
    const known = new Set((await metadata.forTenant(tenantId).uploads.list()).map(({ path }) => path));
    for (const file of files) {
      if (known.has(file)) continue;
      await area.remove(tenantId, file);
      removed++;
    }
  }
  return removed;
}
