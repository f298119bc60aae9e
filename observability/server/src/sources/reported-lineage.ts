// SPDX-License-Identifier: Apache-2.0
import type { ColumnLineage, ColumnSources } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';

export type ReportedLineage = {
  readonly parents: readonly string[];
  readonly columns: readonly ColumnSources[];
  readonly origin: Exclude<ColumnLineage['origin'], 'PERSON'>;
};

/** Stores what a program says of assets, all or nothing: parents beside those that they have, and columns of which no person said anything. */
export async function storeReportedLineage(tenant: TenantMetadata, reported: ReadonlyMap<string, ReportedLineage>): Promise<void> {
  await tenant.atomically(async (scope) => {
    for (const [assetId, { parents, columns, origin }] of reported) {
      const before = await scope.lineage.get(assetId);
      await scope.lineage.replace(assetId, { parents: [...new Set([...before.parents, ...parents])] });
      await scope.columnLineage.report(assetId, columns, origin);
    }
  });
}
