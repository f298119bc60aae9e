// SPDX-License-Identifier: Apache-2.0
/**
 * The address of a webhook is a credential: whoever knows it can write to its channel. Those who may change it read it whole, the others
 * read to which host it leads.
 */
import type { Asset, NotificationChannel } from '@sextant/contracts-observability';
import type { Member } from '../auth/principal.ts';
import { mayDo } from '../auth/roles.ts';

export function shownAsset(asset: Asset, member: Member): Asset {
  if (asset.webhook_url === null || mayDo(member, 'editor', asset.project_id)) return asset;
  return { ...asset, webhook_url: shortened(asset.webhook_url) };
}

export function shownChannel(channel: NotificationChannel, member: Member): NotificationChannel {
  return mayDo(member, 'editor') ? channel : { ...channel, addresses: channel.addresses.map(shortened) };
}

/** Addresses of mail and names of channels stay as they are. */
function shortened(address: string): string {
  if (!/^https?:/i.test(address)) return address;
  const url = URL.parse(address);
  return url === null ? '…' : `${url.origin}/…`;
}
