// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:capacity`: what a cluster for a billion vectors of 768 components takes. A node with several graphs is measured, and what asking another node
 * costs; the rest is computed from these, and the waiting simulated. See docs/design/one-billion-vectors.md.
 *
 *   --shards n     graphs of the node                    default 8
 *   --points list  points of each graph; two sizes or more  default 25000,250000
 *   --queries n    searches of each ef                   default 200
 *   --from file    takes what an earlier run has measured, and measures nothing
 *   --to file      where what was measured is written     default docs/reference/benchmarks/capacity.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { seededRandom } from '@sextant/foundation-std';
import { readFlags } from '@sextant/foundation-testing';
import { table } from '../markdown.ts';
import { type CostOfAsking, costOfAsking } from './cost-of-asking.ts';
import { simulateFanOut } from './fan-out-simulation.ts';
import { type MeasuredNode, measureNode } from './measured-node.ts';
import { type ClusterPlan, type GraphCosts, graphCosts, type NodeKind, planCluster } from './plan.ts';

const { values } = readFlags({
  options: {
    shards: { type: 'string', default: '8' },
    points: { type: 'string', default: '25000,250000' },
    queries: { type: 'string', default: '200' },
    from: { type: 'string', default: '' },
    to: { type: 'string', default: 'docs/reference/benchmarks/capacity.json' },
  },
});

const POINTS = 1e9;
const COPIES = 2;
const RECALL = 0.95;
const EFS = [8, 16, 32, 64, 128];
const KINDS: readonly NodeKind[] = [
  { cores: 2, shards: 8, pointsOfShard: 1_000_000 },
  { cores: 8, shards: 8, pointsOfShard: 5_000_000 },
  { cores: 16, shards: 10, pointsOfShard: 10_000_000 },
];
/** Of what all cores can answer. */
const LOADS = [0.2, 0.5, 0.7];
/** A round trip inside a data center takes about half a millisecond (Dean, "Designs, Lessons and Advice from Building Large Distributed Systems", 2009). */
const NETWORK_MS = { least: 0.2, more: 0.05 };
/** Assumed: each node stops once in ten seconds for 30 ms. */
const STALLS = { everyMs: 10_000, ms: 30 };
/** As the nodes of a cluster do: see vector/server/src/cluster/shards/{replicas,hedge-budget}.ts. */
const HEDGE = { at: 0.95, shareMax: 0.05 };
const SIMULATED = 3000;
const SEED = 19;

type Measured = { readonly nodes: readonly MeasuredNode[]; readonly asking: CostOfAsking };

const measured = values.from === '' ? await measure() : (JSON.parse(readFileSync(values.from, 'utf8')) as Measured);
const costs = graphCosts(measured.nodes, RECALL);
console.log(nodesTable(measured));
console.log(plansTable(KINDS.map((kind) => planCluster(POINTS, COPIES, kind, costs, measured.asking))));
console.log(latencyTable(costs, measured));

async function measure(): Promise<Measured> {
  const asking = await costOfAsking();
  console.log(JSON.stringify(asking));
  const nodes: MeasuredNode[] = [];
  for (const points of values.points.split(',').map(Number)) {
    nodes.push(await measureNode({ shards: Number(values.shards), points, queries: Number(values.queries), efs: EFS }));
  }
  writeFileSync(values.to, `${JSON.stringify({ nodes, asking }, undefined, 1)}\n`);
  return { nodes, asking };
}

function nodesTable({ nodes, asking }: Measured): string {
  const rows = nodes.flatMap(({ shards, points, memoryBytes, diskBytes, buildUs, requestUs, curve }) =>
    curve.map(({ ef, recall, searchUs }) => [
      `${shards} x ${points.toLocaleString('en-US')}`,
      gigabytes(memoryBytes ?? Number.NaN),
      gigabytes(diskBytes),
      buildUs.toFixed(0),
      String(ef),
      recall.toFixed(4),
      (searchUs.reduce((sum, each) => sum + each, 0) / searchUs.length / shards - requestUs).toFixed(0),
      requestUs.toFixed(0),
    ]),
  );
  const header = ['graphs', 'memory', 'disk', 'build, µs a point', 'ef', 'recall@10 of all', 'search, µs a graph', 'request, µs'];
  return `${table(header, rows)}\n\nAsking a node: ${asking.askMs.toFixed(2)} ms of the node that asks, ${asking.answerMs.toFixed(2)} ms of the one that answers.\n`;
}

function plansTable(plans: readonly ClusterPlan[]): string {
  const header = [
    'node',
    'nodes',
    'memory of a node',
    'disk of a node',
    'core ms a search',
    'of it in graphs',
    'searches/s of all',
    'build, core hours',
  ];
  const rows = plans.map((plan) => [
    nameOf(plan),
    String(plan.nodes),
    gigabytes(plan.memoryBytes),
    gigabytes(plan.diskBytes),
    plan.searchMs.toFixed(0),
    plan.graphMs.toFixed(0),
    plan.searchesPerSecond.toFixed(0),
    plan.buildCoreHours.toFixed(0),
  ]);
  return `${table(header, rows)}\n`;
}

/** Every node question takes what one took that was measured, as much longer as its graphs are larger. */
function latencyTable(graph: GraphCosts, { nodes, asking }: Measured): string {
  const largest = nodes.toSorted((one, other) => other.points - one.points)[0];
  const sample = largest?.curve.find(({ ef }) => ef === graph.ef)?.searchUs ?? [];
  const rows = KINDS.flatMap((kind) => {
    const plan = planCluster(POINTS, COPIES, kind, graph, asking);
    const times = (kind.shards * graph.searchUs(kind.pointsOfShard)) / ((largest?.shards ?? 1) * graph.searchUs(largest?.points ?? 1));
    const requestsUs = (largest?.shards ?? 0) * (largest?.requestUs ?? 0);
    const serviceMs = sample.map((us) => (Math.max(0, us - requestsUs) * times) / 1000 + asking.answerMs);
    return LOADS.map((load) => {
      const searchesPerSecond = load * plan.searchesPerSecond;
      const shared = {
        ...plan,
        searchesPerSecond,
        serviceMs,
        askMs: asking.askMs,
        networkMs: NETWORK_MS,
        stalls: STALLS,
        searches: SIMULATED,
      };
      const [alone, hedged] = [{ ...HEDGE, at: 1 }, HEDGE].map((hedge) => simulateFanOut({ ...shared, hedge }, seededRandom(SEED)));
      const shown = [alone?.medianMs, alone?.p99Ms, hedged?.medianMs, hedged?.p99Ms].map((ms) => (ms ?? Number.NaN).toFixed(1));
      return [nameOf(plan), searchesPerSecond.toFixed(0), `${(load * 100).toFixed(0)} %`, ...shown];
    });
  });
  return table(['node', 'searches/s', 'of capacity', 'median, ms', 'p99, ms', 'median, hedged', 'p99, hedged'], rows);
}

function nameOf({ cores, shards, pointsOfShard }: NodeKind): string {
  return `${cores} cores, ${shards} graphs of ${pointsOfShard / 1e6} million`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
