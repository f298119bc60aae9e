// SPDX-License-Identifier: Apache-2.0
/**
 * An upload is a file first and a row of the metadata afterwards, and goes the other way round. What a crash between the two leaves
 * behind is a file that nobody can name; it is removed before the service listens, when no upload can be under way.
 */
import type { UploadArea } from '@sextant/observability-connectors';
import type { Metadata } from '@sextant/observability-metadata';

/** Answers how many files were removed. */
export async function removeStrayUploads(metadata: Metadata, area: UploadArea): Promise<number> {
  let removed = 0;
  for (const { id: tenantId } of await metadata.platform.tenants.list()) {
    const known = new Set((await metadata.forTenant(tenantId).uploads.list()).map(({ path }) => path));
    for (const file of await area.list(tenantId)) {
      if (known.has(file)) continue;
      await area.remove(tenantId, file);
      removed++;
    }
  }
  return removed;
}
