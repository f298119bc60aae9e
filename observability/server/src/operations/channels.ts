/** Notification channels, by their names. */
import { ApiError } from '@sextant/contracts-observability';
import { operation, type TenantContext } from './operation.ts';

export const listChannels = operation('list_channels', ({ tenant }) => tenant.channels.list());

export const createChannel = operation('create_channel', ({ tenant }, { body }) => tenant.channels.create(body));

export const getChannel = operation('get_channel', ({ tenant }, { params }) => tenant.channels.get(params.channel_name));

export const updateChannel = operation('update_channel', ({ tenant }, { params, body }) =>
  tenant.channels.update(params.channel_name, body),
);

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
