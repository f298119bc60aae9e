// SPDX-License-Identifier: Apache-2.0
/** What an asset comes from and what comes from it, near and far. */
import type { Asset } from '@sextant/sdk';

type Linked = Pick<Asset, 'id' | 'parents' | 'children'>;

type Lineage = { readonly upstream: ReadonlySet<string>; readonly downstream: ReadonlySet<string> };

/** Assets that this one comes from, and those that come from it, over however many steps. */
export function lineageOf(id: string, byId: ReadonlyMap<string, Linked>): Lineage {
  return { upstream: reached(id, ({ parents = [] }) => parents, byId), downstream: reached(id, ({ children = [] }) => children, byId) };
}

/** All of them, and the asset itself. */
export function relatedAssets(id: string, byId: ReadonlyMap<string, Linked>): ReadonlySet<string> {
  const { upstream, downstream } = lineageOf(id, byId);
  return new Set([id, ...upstream, ...downstream]);
}

function reached(from: string, next: (asset: Linked) => readonly string[], byId: ReadonlyMap<string, Linked>): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const asset = byId.get(id);
    for (const each of asset === undefined ? [] : next(asset)) {
      if (each === from || found.has(each)) continue;
      found.add(each);
      waiting.push(each);
    }
  }
  return found;
}

export function byAssetId<Each extends Linked>(assets: readonly Each[]): ReadonlyMap<string, Each> {
  return new Map(assets.map((asset) => [asset.id, asset]));
}

export function hasLineage({ parents = [], children = [] }: Linked): boolean {
  return parents.length > 0 || children.length > 0;
}
