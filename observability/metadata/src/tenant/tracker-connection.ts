// SPDX-License-Identifier: Apache-2.0
import type { TrackerConnection } from '@sextant/contracts-observability';
import { putRow, type TenantScope } from '../database/scope.ts';
import { MetadataMissing } from '../errors.ts';

/** How the tenant's tracker is reached. The token is encrypted; only `token` opens it. */
export type TrackerConnectionStore = {
  readonly find: () => Promise<TrackerConnection | undefined>;
  /** Undefined when there is no connection. */
  readonly token: () => Promise<string | undefined>;
  readonly put: (connection: TrackerConnection & { readonly api_token: string }) => Promise<TrackerConnection>;
  /** @throws MetadataMissing */
  readonly delete: () => Promise<void>;
};

export function trackerConnectionStore({ tenantId, db, cipher, own }: TenantScope): TrackerConnectionStore {
  const place = JSON.stringify([tenantId, 'tracker']);
  const findRow = () => own(db).selectFrom('tracker_connections').selectAll().executeTakeFirst();
  return {
    find: async () => {
      const row = await findRow();
      if (row === undefined) return undefined;
      const { base_url, email, poll_interval_seconds } = row;
      return { base_url, email, poll_interval_seconds };
    },
    token: async () => {
      const row = await findRow();
      return row && cipher.open({ text: row.token, keyId: row.token_key_id }, place);
    },
    put: async ({ base_url, email, poll_interval_seconds, api_token }) => {
      const sealed = cipher.seal(api_token, place);
      const columns = { base_url, email, poll_interval_seconds, token: sealed.text, token_key_id: sealed.keyId };
      await putRow(db, 'tracker_connections', { key: { tenant_id: tenantId }, columns });
      return { base_url, email, poll_interval_seconds };
    },
    delete: async () => {
      const { numDeletedRows } = await own(db).deleteFrom('tracker_connections').executeTakeFirst();
      if (numDeletedRows === 0n) throw new MetadataMissing('tracker connection', tenantId);
    },
  };
}
