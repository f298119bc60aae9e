// SPDX-License-Identifier: Apache-2.0
/** Notification channels, by their names. */
import { ApiError, type NotificationChannel } from '@sextant/contracts-observability';
import { renewSecret } from '../delivery/channel-secret.ts';
import { tryChannel } from '../delivery/try-channel.ts';
import { audited } from './audited.ts';
import { operation } from './operation.ts';
import { shownChannel } from './webhook-addresses.ts';

export const listChannels = operation('list_channels', async ({ tenant, member }) =>
  (await tenant.channels.list()).map((channel) => shownChannel(channel, member)),
);

/** The secret of a webhook is shown here, and not again. */
export const createChannel = operation('create_channel', (context, { body }) =>
  audited(
    context,
    async (own) => {
      const channel = await own.channels.create(body);
      return channel.type === 'WEBHOOK' ? { ...channel, secret: await renewSecret(own, channel.name, context.clock.nowMs()) } : channel;
    },
    (channel) => entryOf('CREATED', channel),
  ),
);

export const getChannel = operation('get_channel', async ({ tenant, member }, { params }) =>
  shownChannel(await tenant.channels.get(params.channel_name), member),
);

/** A channel that becomes a webhook gets a secret, and one that is none any more loses it. */
export const updateChannel = operation('update_channel', (context, { params, body }) =>
  audited(
    context,
    async (own) => {
      const name = params.channel_name;
      const nowMs = context.clock.nowMs();
      const channel = await own.channels.update(name, body);
      if (channel.type !== 'WEBHOOK') await own.channels.putSecret(name, null);
      else if ((await own.channels.secret(name)) === undefined) return { ...channel, secret: await renewSecret(own, name, nowMs) };
      return channel;
    },
    (channel) => entryOf('UPDATED', channel),
  ),
);

export const rotateChannelSecret = operation('rotate_channel_secret', (context, { params }) =>
  audited(
    context,
    async (own) => {
      const { name, type } = await own.channels.get(params.channel_name);
      if (type !== 'WEBHOOK') throw new ApiError('bad_request', { reason: `Only WEBHOOK channels have a secret; this one is ${type}` });
      return { secret: await renewSecret(own, name, context.clock.nowMs()) };
    },
    () => ({ action: 'UPDATED', subject_type: 'CHANNEL', subject_id: params.channel_name, details: { changed: ['secret'] } }),
  ),
);

export const testChannel = operation('test_channel', async ({ tenant, deliveryMeans }, { params, signal }) => {
  const channel = await tenant.channels.get(params.channel_name);
  return tryChannel({ tenant, means: deliveryMeans, wire: { ...deliveryMeans, signal } }, channel);
});

export const deleteChannel = operation('delete_channel', async (context, { params }) => {
  const { channels } = context.tenant;
  const { name } = await channels.get(params.channel_name);
  const [user] = await context.tenant.monitors.select({ channel: name }, { limit: 1 });
  if (user !== undefined) {
    const users = `monitor ${JSON.stringify(user.name)} of asset ${user.asset_id}`;
    throw new ApiError('in_use', { what: 'Notification channel', id: name, users });
  }
  await audited(
    context,
    async (own) => {
      const channel = await own.channels.get(name);
      await own.channels.delete(name);
      return channel;
    },
    (channel) => entryOf('DELETED', channel),
  );
  return { message: `Notification channel ${name} was deleted.` };
});

function entryOf(action: 'CREATED' | 'UPDATED' | 'DELETED', { name, type }: Pick<NotificationChannel, 'name' | 'type'>) {
  return { action, subject_type: 'CHANNEL', subject_id: name, details: { type } } as const;
}
