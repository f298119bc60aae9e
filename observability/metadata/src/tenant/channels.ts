import type { NotificationChannel } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import type { Queries, TenantScope } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';
import { MetadataConflict, MetadataMissing } from '../errors.ts';

export type ChannelStore = {
  /** @throws MetadataConflict when the name is taken */
  readonly create: (channel: NotificationChannel) => Promise<NotificationChannel>;
  readonly list: () => Promise<readonly NotificationChannel[]>;
  /** @throws MetadataMissing */
  readonly get: (name: string) => Promise<NotificationChannel>;
  /** @throws MetadataMissing */
  readonly update: (name: string, change: Pick<NotificationChannel, 'type' | 'addresses'>) => Promise<NotificationChannel>;
  /** @throws MetadataMissing */
  readonly delete: (name: string) => Promise<void>;
};

export function channelStore({ tenantId, db, write, clock }: TenantScope): ChannelStore {
  const find = async (queries: Queries, name: string) => {
    const row = await queries
      .selectFrom('channels')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row && toChannel(row);
  };
  return {
    create: (channel) =>
      write(async (transaction) => {
        const { name, type, addresses } = channel;
        if ((await find(transaction, name)) !== undefined) {
          throw new MetadataConflict('notification channel', `There is a notification channel ${JSON.stringify(name)} already.`);
        }
        const row = { tenant_id: tenantId, name, type, addresses: toJson(addresses), created_ms: clock.nowMs() };
        await transaction.insertInto('channels').values(row).execute();
        return toChannel(row);
      }),
    list: async () => {
      const rows = await db
        .selectFrom('channels')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .orderBy('created_ms')
        .orderBy('name')
        .execute();
      return rows.map(toChannel);
    },
    get: async (name) => {
      const channel = await find(db, name);
      if (channel === undefined) throw new MetadataMissing('notification channel', name);
      return channel;
    },
    update: async (name, { type, addresses }) => {
      const { numUpdatedRows } = await db
        .updateTable('channels')
        .set({ type, addresses: toJson(addresses) })
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new MetadataMissing('notification channel', name);
      return { name, type, addresses };
    },
    delete: async (name) => {
      const { numDeletedRows } = await db
        .deleteFrom('channels')
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new MetadataMissing('notification channel', name);
    },
  };
}

function toChannel({ name, type, addresses }: Schema['channels']): NotificationChannel {
  // The store wrote the type from a `NotificationChannel`.
  return { name, type: type as NotificationChannel['type'], addresses: fromJson(addresses) };
}
