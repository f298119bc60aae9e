// SPDX-License-Identifier: Apache-2.0
/** Where each asset stands: in layers from what comes first to what comes of it, by dagre. */
import { Graph, layout } from '@dagrejs/dagre';

export const NODE = { width: 180, height: 52 } as const;

export type GraphEdge = { readonly from: string; readonly to: string };
export type GraphShape = { readonly ids: readonly string[]; readonly edges: readonly GraphEdge[] };
type Place = { readonly x: number; readonly y: number };
export type Places = ReadonlyMap<string, Place>;

/** The upper left corner of each. */
export function placesOf(ids: readonly string[], edges: readonly GraphEdge[]): Places {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 70 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ids) graph.setNode(id, { ...NODE });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    ids.map((id) => {
      const { x = 0, y = 0 } = graph.node(id);
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
}
