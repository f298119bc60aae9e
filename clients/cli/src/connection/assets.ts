// SPDX-License-Identifier: Apache-2.0
/** Assets by the names that people give them. */
import type { Asset, ObservabilityClient } from '@sextant/sdk';
import { CommandFailure } from '../failure.ts';

const ON_THE_COMMAND_LINE = '`sextant observe assets` lists the assets; --tenant selects another tenant.';

/**
 * The asset of this id, or the only one of this name.
 * @param advice what to do where there is none
 */
export async function assetOf(
  client: ObservabilityClient,
  wanted: string,
  signal: AbortSignal,
  advice = ON_THE_COMMAND_LINE,
): Promise<Asset> {
  const assets = await client.listAssets({}, { signal });
  const byId = assets.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const [first, ...others] = assets.filter(({ name }) => name === wanted);
  if (first === undefined) {
    throw new CommandFailure('not_found', `there is no asset ${JSON.stringify(wanted)} in ${client.tenant}`, {
      advice,
    });
  }
  if (others.length === 0) return first;
  throw new CommandFailure('usage', `${others.length + 1} assets are named ${JSON.stringify(wanted)}`, {
    advice: `Pass the id of one of them: ${[first, ...others].map(({ id }) => id).join(', ')}.`,
  });
}
