import type { NotificationChannel } from '@sextant/contracts-observability';

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
