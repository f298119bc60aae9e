// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { MeasuredNode } from './measured-node.ts';
import { graphCosts, planCluster } from './plan.ts';

const node = (points: number, searchUs: number): MeasuredNode => ({
  shards: 8,
  points,
  memoryBytes: 1e9 + 8 * points * 300,
  diskBytes: 8 * points * 4000,
  buildUs: 100,
  requestUs: 50,
  curve: [
    { ef: 8, recall: 0.9, searchUs: [1, 1] },
    { ef: 16, recall: 0.96, searchUs: [(searchUs + 50) * 8, (searchUs + 50) * 8] },
  ],
});
const NODES = [node(10_000, 200), node(100_000, 300)];
const ASKING = { askMs: 0.25, answerMs: 0.5 };

test('a search of a graph grows by as much for each decade of its points as it did between the sizes measured', () => {
  const { searchUs, ef, recall } = graphCosts(NODES, 0.95);
  expect({ ef, recall }).toEqual({ ef: 16, recall: 0.96 });
  expect([10_000, 100_000, 1_000_000].map(searchUs)).toEqual([200, 300, 400].map((us) => expect.closeTo(us, 6)));
});

test('a recall that no ef reached, and a single size, are refused', () => {
  expect(() => graphCosts(NODES, 0.99)).toThrow(/no ef reaches the recall 0.99/);
  expect(() => graphCosts(NODES.slice(1), 0.95)).toThrow(/two sizes/);
});

test('a billion points on nodes of eight million take 125 nodes for each copy, and every search asks 125 of them', () => {
  const kind = { cores: 2, shards: 8, pointsOfShard: 1_000_000 };
  const plan = planCluster(1e9, 2, kind, graphCosts(NODES, 0.95), ASKING);
  expect(plan).toMatchObject({ groups: 125, nodes: 250, memoryBytes: expect.closeTo(3.4e9), diskBytes: expect.closeTo(32e9) });
  expect(plan.graphMs).toBeCloseTo(125 * 8 * 0.4, 6);
  expect(plan.searchMs).toBeCloseTo(400 + 125 * 0.75, 6);
  expect(plan.searchesPerSecond).toBeCloseTo((250 * 2 * 1000) / plan.searchMs, 6);
  expect(plan.buildCoreHours).toBeCloseTo((2e9 * 100) / 3.6e9, 6);
});
