// SPDX-License-Identifier: Apache-2.0
import type { NotificationChannel } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import type { Queries, TenantScope } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';

/** What the messages of a webhook are signed with: for a while after a change, also with the secret before. */
export type ChannelSecret = {
  readonly current: string;
  readonly previous: { readonly secret: string; readonly valid_until: string } | null;
};

/** Secrets are encrypted; only `secret` opens them. */
export type ChannelStore = {
  /** @throws MetadataConflict when the name is taken */
  readonly create: (channel: NotificationChannel) => Promise<NotificationChannel>;
  readonly list: () => Promise<readonly NotificationChannel[]>;
  /** @throws MetadataMissing */
  readonly get: (name: string) => Promise<NotificationChannel>;
  /** @throws MetadataMissing */
  readonly update: (name: string, change: Pick<NotificationChannel, 'type' | 'addresses'>) => Promise<NotificationChannel>;
  /** Undefined where the channel has none. @throws MetadataMissing */
  readonly secret: (name: string) => Promise<ChannelSecret | undefined>;
  /** Null removes it. @throws MetadataMissing */
  readonly putSecret: (name: string, secret: ChannelSecret | null) => Promise<void>;
  /** @throws MetadataMissing */
  readonly delete: (name: string) => Promise<void>;
};

export function channelStore({ tenantId, db, write, clock, cipher, own }: TenantScope): ChannelStore {
  const find = async (queries: Queries, name: string) => {
    const row = await own(queries).selectFrom('channels').selectAll().where('name', '=', name).executeTakeFirst();
    return row && toChannel(row);
  };
  const place = (name: string) => JSON.stringify([tenantId, 'channel', name]);
  return {
    create: (channel) =>
      write(async (transaction) => {
        const { name, type, addresses } = channel;
        if ((await find(transaction, name)) !== undefined) {
          throw new MetadataConflict('notification channel', `A notification channel ${JSON.stringify(name)} already exists.`);
        }
        const secret = { secret: null, secret_key_id: null };
        const row = { tenant_id: tenantId, name, type, addresses: toJson(addresses), created_ms: clock.nowMs(), ...secret };
        await transaction.insertInto('channels').values(row).execute();
        return toChannel(row);
      }),
    list: async () => {
      const rows = await own(db).selectFrom('channels').selectAll().orderBy('created_ms').orderBy('name').execute();
      return rows.map(toChannel);
    },
    get: async (name) => {
      const channel = await find(db, name);
      if (channel === undefined) throw new MetadataMissing('notification channel', name);
      return channel;
    },
    update: async (name, { type, addresses }) => {
      const { numUpdatedRows } = await own(db)
        .updateTable('channels')
        .set({ type, addresses: toJson(addresses) })
        .where('name', '=', name)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new MetadataMissing('notification channel', name);
      return { name, type, addresses };
    },
    secret: async (name) => {
      const row = await own(db).selectFrom('channels').select(['secret', 'secret_key_id']).where('name', '=', name).executeTakeFirst();
      if (row === undefined) throw new MetadataMissing('notification channel', name);
      if (row.secret === null || row.secret_key_id === null) return undefined;
      return fromJson<ChannelSecret>(cipher.open({ text: row.secret, keyId: row.secret_key_id }, place(name)));
    },
    putSecret: async (name, secret) => {
      const sealed = secret === null ? undefined : cipher.seal(toJson(secret), place(name));
      const { numUpdatedRows } = await own(db)
        .updateTable('channels')
        .set({ secret: sealed?.text ?? null, secret_key_id: sealed?.keyId ?? null })
        .where('name', '=', name)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new MetadataMissing('notification channel', name);
    },
    delete: async (name) => {
      const { numDeletedRows } = await own(db).deleteFrom('channels').where('name', '=', name).executeTakeFirst();
      if (numDeletedRows === 0n) throw new MetadataMissing('notification channel', name);
    },
  };
}

function toChannel({ name, type, addresses }: Pick<Schema['channels'], 'name' | 'type' | 'addresses'>): NotificationChannel {
  // The store wrote the type from a `NotificationChannel`.
  return { name, type: type as NotificationChannel['type'], addresses: fromJson(addresses) };
}
