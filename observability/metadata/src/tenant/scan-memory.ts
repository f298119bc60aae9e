// SPDX-License-Identifier: Apache-2.0
import { putRow, type Queries, type TenantScope } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';
import { requireAsset } from './references.ts';

/** What a scan hands to the next one of its asset. */
export type ScanMemoryStore = {
  /** Undefined before the first scan. */
  readonly get: (assetId: string) => Promise<unknown>;
  /** @throws MetadataMissing for an unknown asset */
  readonly put: (assetId: string, memory: unknown) => Promise<void>;
};

export function scanMemoryStore({ tenantId, db, write, own }: TenantScope): ScanMemoryStore {
  return {
    get: async (assetId) => {
      const row = await own(db).selectFrom('scan_memory').select('memory').where('asset_id', '=', assetId).executeTakeFirst();
      return row && fromJson<unknown>(row.memory);
    },
    put: (assetId, memory) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        await putScanMemory(transaction, tenantId, { assetId, memory });
      }),
  };
}

export async function putScanMemory(
  db: Queries,
  tenantId: string,
  { assetId, memory }: { readonly assetId: string; readonly memory: unknown },
): Promise<void> {
  await putRow(db, 'scan_memory', { key: { tenant_id: tenantId, asset_id: assetId }, columns: { memory: toJson(memory) } });
}
