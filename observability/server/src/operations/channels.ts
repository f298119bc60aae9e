/** Notification channels, by their names. */
import { ApiError } from '@sextant/contracts-observability';
import { renewSecret } from '../delivery/channel-secret.ts';
import { tryChannel } from '../delivery/try-channel.ts';
import { operation, type TenantContext } from './operation.ts';

export const listChannels = operation('list_channels', ({ tenant }) => tenant.channels.list());

/** The secret of a webhook is shown here, and not again. */
export const createChannel = operation('create_channel', ({ tenant, clock }, { body }) =>
  tenant.atomically(async (own) => {
    const channel = await own.channels.create(body);
    return channel.type === 'WEBHOOK' ? { ...channel, secret: await renewSecret(own, channel.name, clock.nowMs()) } : channel;
  }),
);

export const getChannel = operation('get_channel', ({ tenant }, { params }) => tenant.channels.get(params.channel_name));

/** A channel that becomes a webhook gets a secret, and one that is none any more loses it. */
export const updateChannel = operation('update_channel', ({ tenant, clock }, { params, body }) =>
  tenant.atomically(async (own) => {
    const name = params.channel_name;
    const channel = await own.channels.update(name, body);
    if (channel.type !== 'WEBHOOK') await own.channels.putSecret(name, null);
    else if ((await own.channels.secret(name)) === undefined) return { ...channel, secret: await renewSecret(own, name, clock.nowMs()) };
    return channel;
  }),
);

export const rotateChannelSecret = operation('rotate_channel_secret', ({ tenant, clock }, { params }) =>
  tenant.atomically(async (own) => {
    const { name, type } = await own.channels.get(params.channel_name);
    if (type !== 'WEBHOOK') throw new ApiError('bad_request', { reason: `Only WEBHOOK channels have a secret; this one is ${type}` });
    return { secret: await renewSecret(own, name, clock.nowMs()) };
  }),
);

export const testChannel = operation('test_channel', async ({ tenant, deliveryMeans }, { params, signal }) => {
  const channel = await tenant.channels.get(params.channel_name);
  return tryChannel({ tenant, means: deliveryMeans, wire: { ...deliveryMeans, signal } }, channel);
});

export const deleteChannel = operation('delete_channel', async (context, { params }) => {
  const { channels } = context.tenant;
  const { name } = await channels.get(params.channel_name);
  const user = await monitorThatNotifies(context, name);
  if (user !== undefined) throw new ApiError('in_use', { what: 'Notification channel', id: name, users: user });
  await channels.delete(name);
  return { message: `Notification channel ${name} was deleted.` };
});

/** The first monitor of any asset that names the channel, in words. */
async function monitorThatNotifies({ tenant }: TenantContext, channel: string): Promise<string | undefined> {
  for (const asset of await tenant.assets.list()) {
    const monitors = await tenant.monitors.list(asset.id);
    const user = monitors.find(({ notification }) => notification?.notification_channel_names?.includes(channel) === true);
    if (user !== undefined) return `monitor ${JSON.stringify(user.name)} of asset ${asset.id}`;
  }
  return undefined;
}
