// SPDX-License-Identifier: Apache-2.0
/** What an asset is made of, as far as it is known, and what is at fault there. */
import type { Asset, ColumnLineage } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { ColumnPath, ColumnPaths, UpstreamIncident } from '@sextant/observability-monitors';

const PARENTS_MAX = 20;
/** Of one scan: so many assets are asked for what their columns are made of, and so many columns are followed. */
const ASSETS_MAX = 100;
const COLUMNS_MAX = 2000;

/** By each of these columns whose sources are known: all columns upstream that it is made of, nearest first. */
export async function pathsOfColumns(
  tenant: TenantMetadata,
  asset: Pick<Asset, 'id' | 'name'>,
  attributes: readonly string[],
): Promise<ColumnPaths> {
  const known = new Map<string, { readonly name: string; readonly columns: ReadonlyMap<string, ColumnLineage> }>();
  const of = async (assetId: string) => {
    const before = known.get(assetId);
    if (before !== undefined || known.size === ASSETS_MAX) return before;
    const { name } = assetId === asset.id ? asset : await tenant.assets.get(assetId);
    const columns = new Map((await tenant.columnLineage.list(assetId)).map((column) => [column.attribute, column]));
    known.set(assetId, { name, columns });
    return known.get(assetId);
  };
  const found = new Map<string, readonly ColumnPath[]>();
  for (const attribute of new Set(attributes)) {
    if ((await of(asset.id))?.columns.has(attribute) !== true) continue;
    const paths: ColumnPath[] = [[{ assetId: asset.id, assetName: asset.name, attribute }]];
    const seen = new Set<string>();
    // Paths that are found are followed in turn, so that the list is its own queue.
    for (const path of paths) {
      const end = path.at(-1);
      const sources = end === undefined ? [] : ((await of(end.assetId))?.columns.get(end.attribute)?.sources ?? []);
      for (const source of sources) {
        const key = JSON.stringify([source.asset_id, source.attribute]);
        const there = seen.has(key) || seen.size === COLUMNS_MAX ? undefined : await of(source.asset_id);
        if (there === undefined) continue;
        seen.add(key);
        paths.push([...path, { assetId: source.asset_id, assetName: there.name, attribute: source.attribute }]);
      }
    }
    found.set(attribute, paths.slice(1));
  }
  return found;
}

/** Of the assets that this one is made of, and those that its columns come from; near ones first. */
export async function openUpstream(tenant: TenantMetadata, assetId: string, columns: ColumnPaths): Promise<readonly UpstreamIncident[]> {
  const parents = new Set((await tenant.lineage.get(assetId)).parents.slice(0, PARENTS_MAX));
  const ends = [...columns.values()].flat().toSorted((one, other) => one.length - other.length);
  const upstream: UpstreamIncident[] = [];
  for (const id of new Set([...parents, ...ends.flatMap((path) => path.at(-1)?.assetId ?? [])])) {
    const open = await tenant.incidents.openOfAsset(id);
    if (open.length === 0) continue;
    const { name } = await tenant.assets.get(id);
    const roots = await tenant.incidentStories.rootsOf(open.map(({ id: incident }) => incident));
    for (const { id: incident, alert_policy_name, metrics } of open) {
      const what = { assetId: id, isParent: parents.has(id), assetName: name, policyName: alert_policy_name, metrics };
      upstream.push({ id: incident, rootId: roots.get(incident), ...what });
    }
  }
  return upstream;
}
