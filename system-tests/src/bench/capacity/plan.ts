// SPDX-License-Identifier: Apache-2.0
/** What a cluster of many like nodes takes for a number of points: nodes, memory, disk and processor time for each search, from a node that was measured. */
import type { CostOfAsking } from './cost-of-asking.ts';
import type { MeasuredNode } from './measured-node.ts';

/** Figures of one graph, without the requests that it is searched by, which grow with the logarithm of its points (Malkov, Yashunin, "Efficient and robust approximate nearest neighbor search using HNSW", 2018, section 4.2). */
export type GraphCosts = {
  /** Of one graph with so many points, in microseconds of processor time. */
  readonly searchUs: (points: number) => number;
  readonly buildUsOfPoint: (points: number) => number;
  /** Of a node with so many points, its process included. */
  readonly memoryBytes: (points: number) => number;
  readonly diskBytesOfPoint: number;
  /** The ef whose recall was enough, and that recall, at the largest size measured. */
  readonly ef: number;
  readonly recall: number;
};

/**
 * @param nodes the same number of shards each, of several sizes
 * @throws RangeError where no ef reaches the recall at the largest size, or fewer than two sizes were measured
 */
export function graphCosts(nodes: readonly MeasuredNode[], recallWanted: number): GraphCosts {
  const [small, large] = nodes.toSorted((one, other) => one.points - other.points).slice(-2);
  if (small === undefined || large === undefined) throw new RangeError('costs need two sizes');
  const reached = large.curve.find(({ recall }) => recall >= recallWanted);
  const before = small.curve.find(({ ef }) => ef === reached?.ef);
  if (reached === undefined || before === undefined) throw new RangeError(`no ef reaches the recall ${recallWanted}`);
  const meanUs = ({ searchUs }: { readonly searchUs: readonly number[] }) =>
    searchUs.reduce((sum, each) => sum + each, 0) / searchUs.length;
  const decades = Math.log10(large.points / small.points);
  const grows = (ofSmall: number, ofLarge: number) => (points: number) =>
    ofLarge + (Math.max(0, ofLarge - ofSmall) / decades) * Math.log10(points / large.points);
  const points = large.points * large.shards;
  const [memoryOfSmall, memoryOfLarge] = [small.memoryBytes ?? Number.NaN, large.memoryBytes ?? Number.NaN];
  return {
    searchUs: grows(meanUs(before) / small.shards - small.requestUs, meanUs(reached) / large.shards - large.requestUs),
    buildUsOfPoint: grows(small.buildUs, large.buildUs),
    memoryBytes: (ofNode) =>
      memoryOfLarge + Math.max(0, (memoryOfLarge - memoryOfSmall) / (points - small.points * small.shards)) * (ofNode - points),
    diskBytesOfPoint: large.diskBytes / points,
    ef: reached.ef,
    recall: reached.recall,
  };
}

export type NodeKind = { readonly cores: number; readonly shards: number; readonly pointsOfShard: number };

export type ClusterPlan = NodeKind & {
  readonly copies: number;
  /** That hold everything once. */
  readonly groups: number;
  readonly nodes: number;
  /** Of each node. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Processor time of all nodes for one search, and the part of it that searches graphs, in milliseconds. */
  readonly searchMs: number;
  readonly graphMs: number;
  /** What all cores answer when they do nothing else. */
  readonly searchesPerSecond: number;
  /** Of all cores together, until every point is in its graphs, in hours of a core. */
  readonly buildCoreHours: number;
};

export function planCluster(points: number, copies: number, kind: NodeKind, costs: GraphCosts, asking: CostOfAsking): ClusterPlan {
  const { cores, shards, pointsOfShard } = kind;
  const ofNode = shards * pointsOfShard;
  const groups = Math.ceil(points / ofNode);
  const nodes = groups * copies;
  const graphMs = (groups * shards * costs.searchUs(pointsOfShard)) / 1000;
  const searchMs = graphMs + groups * (asking.askMs + asking.answerMs);
  return {
    ...kind,
    copies,
    groups,
    nodes,
    memoryBytes: costs.memoryBytes(ofNode),
    diskBytes: ofNode * costs.diskBytesOfPoint,
    searchMs,
    graphMs,
    searchesPerSecond: (nodes * cores * 1000) / searchMs,
    buildCoreHours: (points * copies * costs.buildUsOfPoint(pointsOfShard)) / 3.6e9,
  };
}
