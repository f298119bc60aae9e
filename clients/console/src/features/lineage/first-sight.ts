// SPDX-License-Identifier: Apache-2.0
/** What of a graph is seen first. */
import type { AssetRow } from '../../data/assets/asset-rows.ts';

/** Of more assets than that names cannot be read when all are seen at once. */
const READABLE_ASSETS = 40;

type Seen = {
  readonly ids: readonly string[];
  /** Too many to be read at once. */
  readonly isLarge: boolean;
};

/** All that belongs to the chosen one, or everything; of a large graph one asset is in the middle: the chosen one, else the one in the worst state. */
export function firstSight(rows: readonly AssetRow[], chosen: string | undefined, related: ReadonlySet<string> | undefined): Seen {
  const all = chosen === undefined || related === undefined ? rows.map(({ asset }) => asset.id) : [...related];
  const isLarge = rows.length > READABLE_ASSETS;
  if (all.length <= READABLE_ASSETS) return { ids: all, isLarge };
  const worst = rows.reduce((before, row) => (urgencyOf(row) > urgencyOf(before) ? row : before));
  return { ids: [chosen ?? worst.asset.id], isLarge };
}

/** Impact counts before number. */
function urgencyOf({ open: { high, medium, low, unrated } }: AssetRow): number {
  return high * 1e9 + medium * 1e6 + low * 1e3 + unrated;
}
