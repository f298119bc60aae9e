// SPDX-License-Identifier: Apache-2.0
/** Which nodes hold the shards of a new collection: those that hold fewest, so that all hold about as many. */
export type PlacementRequest = {
  readonly shards: number;
  /** Copies of each shard; there are never more than there are nodes. */
  readonly replicas: number;
  readonly nodes: readonly string[];
  /** How many shards each node holds already. */
  readonly held: ReadonlyMap<string, number>;
};

/** For each shard its nodes. */
export function placeShards({ shards, replicas, nodes, held }: PlacementRequest): readonly (readonly string[])[] {
  const load = new Map(nodes.map((node) => [node, held.get(node) ?? 0]));
  return Array.from({ length: shards }, () => {
    const chosen = [...load].sort(([one, few], [other, many]) => few - many || (one < other ? -1 : 1)).slice(0, replicas);
    for (const [node, count] of chosen) load.set(node, count + 1);
    return chosen.map(([node]) => node);
  });
}
