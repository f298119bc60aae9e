/** Which incidents have to do with one, and why. */
import type { Asset, Incident } from '@sextant/sdk';

/** Before and after the beginning of an incident: what else began then may have the same cause. */
export const NEAR_MS = 2 * 3_600_000;
const SHOWN = 12;

type Named = Pick<Asset, 'id' | 'name' | 'parents' | 'children'>;

export type Related = { readonly incident: Incident; readonly why: string };

/** Assets that this one comes from, and those that come from it, over however many steps. */
export function lineageOf(
  assetId: string,
  assets: readonly Named[],
): { readonly upstream: ReadonlySet<string>; readonly downstream: ReadonlySet<string> } {
  const byId = new Map(assets.map((asset) => [asset.id, asset]));
  return {
    upstream: reached(assetId, (id) => byId.get(id)?.parents ?? []),
    downstream: reached(assetId, (id) => byId.get(id)?.children ?? []),
  };
}

function reached(from: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...next(from)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === from || found.has(id)) continue;
    found.add(id);
    open.push(...next(id));
  }
  return found;
}

/** Causes first: what this one comes from, its own asset, what comes from it, then what began at the same time; the nearest in time of each. */
export function relatedTo(of: Incident, candidates: readonly Incident[], assets: readonly Named[]): readonly Related[] {
  const { upstream, downstream } = lineageOf(of.asset_id, assets);
  const names = new Map(assets.map(({ id, name }) => [id, name]));
  const byId = new Map(candidates.filter(({ id }) => id !== of.id).map((each) => [each.id, each]));
  const apartMs = ({ created_time: time }: Incident) => Math.abs(Date.parse(time) - Date.parse(of.created_time));
  const rankOf = (each: Incident) => {
    if (upstream.has(each.asset_id)) return 0;
    if (each.asset_id === of.asset_id) return 1;
    return downstream.has(each.asset_id) ? 2 : 3;
  };
  const inWords = (each: Incident) => {
    const name = names.get(each.asset_id) ?? each.asset_id;
    switch (rankOf(each)) {
      case 0:
        return `in ${name}, which this asset comes from`;
      case 1:
        return each.alert_policy_id === of.alert_policy_id ? 'earlier or later of the same monitor' : 'of the same asset';
      case 2:
        return `in ${name}, which comes from this asset`;
      default:
        return `in ${name}, begun at the same time`;
    }
  };
  return [...byId.values()]
    .filter((each) => rankOf(each) < 3 || apartMs(each) <= NEAR_MS)
    .sort((a, b) => rankOf(a) - rankOf(b) || Number(a.status === 'CLOSED') - Number(b.status === 'CLOSED') || apartMs(a) - apartMs(b))
    .slice(0, SHOWN)
    .map((incident) => ({ incident, why: inWords(incident) }));
}
