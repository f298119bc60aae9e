// SPDX-License-Identifier: Apache-2.0
/** Which incidents have to do with one, and why. */
import type { Asset, Incident } from '@sextant/sdk';
import { byAssetId, lineageOf } from '../../data/assets/lineage.ts';
import { NEAR_MS } from '../../data/incidents/queries.ts';

const SHOWN = 12;

type Named = Pick<Asset, 'id' | 'name' | 'parents' | 'children'>;

export type Related = { readonly incident: Incident; readonly why: string };

/** Causes first: what this one comes from, its own asset, what comes from it, then what began at the same time; the nearest in time of each. */
export function relatedTo(of: Incident, candidates: readonly Incident[], assets: readonly Named[]): readonly Related[] {
  const { upstream, downstream } = lineageOf(of.asset_id, byAssetId(assets));
  const names = new Map(assets.map(({ id, name }) => [id, name]));
  const byId = new Map(candidates.filter(({ id }) => id !== of.id).map((each) => [each.id, each]));
  const apartMs = ({ created_time: time }: Incident) => Math.abs(Date.parse(time) - Date.parse(of.created_time));
  const rankOf = (each: Incident) => {
    if (upstream.has(each.asset_id)) return 0;
    if (each.asset_id === of.asset_id) return 1;
    return downstream.has(each.asset_id) ? 2 : 3;
  };
  const reasonOf = (each: Incident) => {
    const name = names.get(each.asset_id) ?? each.asset_id;
    switch (rankOf(each)) {
      case 0:
        return `in ${name}, a source of this asset`;
      case 1:
        return each.alert_policy_id === of.alert_policy_id ? 'of the same monitor, at another time' : 'of the same asset';
      case 2:
        return `in ${name}, which is derived from this asset`;
      default:
        return `in ${name}, started at the same time`;
    }
  };
  return [...byId.values()]
    .filter((each) => rankOf(each) < 3 || apartMs(each) <= NEAR_MS)
    .sort((a, b) => rankOf(a) - rankOf(b) || Number(a.status === 'CLOSED') - Number(b.status === 'CLOSED') || apartMs(a) - apartMs(b))
    .slice(0, SHOWN)
    .map((incident) => ({ incident, why: reasonOf(incident) }));
}
