/** What an asset comes from and what comes from it, near and far. */
import type { AssetRow } from './asset-rows.ts';

type Linked = Pick<AssetRow['asset'], 'id' | 'parents' | 'children'>;

/** With the asset itself. */
export function relatedTo(id: string, byId: ReadonlyMap<string, Linked>): ReadonlySet<string> {
  return new Set([...reached(id, ({ parents = [] }) => parents, byId), ...reached(id, ({ children = [] }) => children, byId)]);
}

function reached(from: string, next: (asset: Linked) => readonly string[], byId: ReadonlyMap<string, Linked>): ReadonlySet<string> {
  const found = new Set([from]);
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const asset = byId.get(id);
    for (const each of asset === undefined ? [] : next(asset)) {
      if (found.has(each)) continue;
      found.add(each);
      waiting.push(each);
    }
  }
  return found;
}

export function hasLineage({ parents = [], children = [] }: Linked): boolean {
  return parents.length > 0 || children.length > 0;
}
