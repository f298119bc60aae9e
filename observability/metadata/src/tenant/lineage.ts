// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '../database/schema.ts';
import { insertAll, ownRows, type Queries, type TenantScope } from '../database/scope.ts';
import { MetadataConflict } from '../errors.ts';
import { requireAsset } from './references.ts';

export type LineageStore = {
  /** @throws MetadataMissing for an unknown asset */
  readonly get: (assetId: string) => Promise<{ readonly parents: readonly string[]; readonly children: readonly string[] }>;
  /** Replaces the sides that are given. @throws MetadataMissing for an unknown asset; MetadataConflict when a cycle would arise */
  readonly replace: (
    assetId: string,
    edges: { readonly parents?: readonly string[]; readonly children?: readonly string[] },
  ) => Promise<void>;
};

type Edge = Schema['lineage_edges'];

export function lineageStore({ tenantId, db, write, own }: TenantScope): LineageStore {
  return {
    get: async (assetId) => {
      await requireAsset(db, tenantId, assetId);
      const edges = await lineageEdges(db, tenantId, assetId);
      return {
        parents: edges.filter((edge) => edge.child_id === assetId).map((edge) => edge.parent_id),
        children: edges.filter((edge) => edge.parent_id === assetId).map((edge) => edge.child_id),
      };
    },
    replace: (assetId, { parents, children }) =>
      write(async (transaction) => {
        for (const id of new Set([assetId, ...(parents ?? []), ...(children ?? [])])) await requireAsset(transaction, tenantId, id);
        // Edges that stay are not touched, since what is known of their columns goes with them.
        const before = await lineageEdges(transaction, tenantId, assetId);
        const isLost = ({ parent_id, child_id }: Edge) =>
          child_id === assetId ? parents?.includes(parent_id) === false : children?.includes(child_id) === false;
        for (const { parent_id, child_id } of before.filter(isLost)) {
          await own(transaction).deleteFrom('lineage_edges').where('parent_id', '=', parent_id).where('child_id', '=', child_id).execute();
        }
        const edges: Edge[] = [
          ...[...new Set(parents)].map((parent_id) => ({ tenant_id: tenantId, parent_id, child_id: assetId })),
          ...[...new Set(children)].map((child_id) => ({ tenant_id: tenantId, parent_id: assetId, child_id })),
        ];
        refuseSelf(assetId, edges);
        const kept = new Set(before.map(({ parent_id, child_id }) => `${parent_id} ${child_id}`));
        const added = edges.filter(({ parent_id, child_id }) => !kept.has(`${parent_id} ${child_id}`));
        await insertAll(transaction, 'lineage_edges', added);
        refuseCycle(assetId, await lineageEdges(transaction, tenantId));
      }),
  };
}

/** All edges of a tenant, or those of one asset, sorted by both ends. */
export async function lineageEdges(db: Queries, tenantId: string, only?: string): Promise<readonly Edge[]> {
  let query = ownRows(db, tenantId).selectFrom('lineage_edges').selectAll();
  if (only !== undefined) query = query.where((where) => where.or([where('parent_id', '=', only), where('child_id', '=', only)]));
  return query.orderBy('parent_id').orderBy('child_id').execute();
}

function refuseSelf(assetId: string, edges: readonly Edge[]): void {
  if (edges.some((edge) => edge.parent_id === edge.child_id)) {
    throw new MetadataConflict('asset', `Asset ${assetId} cannot be its own parent or child.`);
  }
}

/** Every new edge touches the asset, so a new cycle goes through it. */
function refuseCycle(assetId: string, edges: readonly Edge[]): void {
  const children = Map.groupBy(edges, (edge) => edge.parent_id);
  const reached = new Set<string>();
  const open = [assetId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { child_id } of children.get(id) ?? []) {
      if (child_id === assetId) throw new MetadataConflict('asset', `The lineage would lead from asset ${assetId} back to itself.`);
      if (!reached.has(child_id)) {
        reached.add(child_id);
        open.push(child_id);
      }
    }
  }
}
