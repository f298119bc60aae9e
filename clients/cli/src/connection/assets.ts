/** Assets by the names that people give them. */
import type { Asset, ObservabilityClient } from '@sextant/sdk';
import { CommandFailure } from '../failure.ts';

/** The asset of this id, or the only one of this name. */
export async function assetOf(client: ObservabilityClient, wanted: string, signal: AbortSignal): Promise<Asset> {
  const assets = await client.listAssets({}, { signal });
  const byId = assets.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const [first, ...others] = assets.filter(({ name }) => name === wanted);
  if (first === undefined) {
    throw new CommandFailure('not_found', `there is no asset ${JSON.stringify(wanted)} in ${client.tenant}`, {
      advice: '`sextant observe assets` shows which there are; --tenant names another tenant.',
    });
  }
  if (others.length === 0) return first;
  throw new CommandFailure('usage', `${others.length + 1} assets are called ${JSON.stringify(wanted)}`, {
    advice: `Give the id of one: ${[first, ...others].map(({ id }) => id).join(', ')}.`,
  });
}
