// SPDX-License-Identifier: Apache-2.0
/** Examines a graph from outside and reports its faults. For tests. */
import { attachKernel, type KernelExports } from './kernel.ts';
import { MemoryView } from './memory-view.ts';
import type { VectorSpaceHandle } from './vector-space.ts';

export type GraphReport = {
  /** Violations of rules K10 and K11, in words; empty when there are none. */
  readonly faults: readonly string[];
  readonly nodes: number;
  readonly liveNodes: number;
  /** Share of the live nodes that the entry point reaches over level 0. */
  readonly reachableShare: number;
  readonly meanBaseLinks: number;
};

const pending = 1;
const linked = 2;
const indexed = 3;
const retired = 6;
/** Where the kernel counts, for each block, PENDING rows, and LINKED or RETIRED ones; see assembly/memory/layout.ts. */
const blockPendingStart = 40960;
const blockTransitStart = 73728;
const blockCountMax = 8192;

export function checkGraph(handle: VectorSpaceHandle): GraphReport {
  const kernel = attachKernel(handle);
  const view = new MemoryView(handle.memory);
  const rows = Array.from({ length: kernel.rowBound() >>> 0 }, (_, row) => row);
  const nodes = rows.filter((row) => kernel.isNode(row) !== 0);
  const faults = [...countFaults(kernel, view, rows), ...nodes.flatMap((row) => nodeFaults(kernel, view, row))];
  const entry = kernel.entryRow() >>> 0;
  if (nodes.length > 0 && kernel.isNode(entry) === 0) faults.push(`entry ${entry} is no node`);
  const liveNodes = nodes.filter((row) => [linked, indexed].includes(kernel.rowState(row)));
  const reached = nodes.length > 0 ? reach(kernel, view, entry) : new Set<number>();
  return {
    faults,
    nodes: nodes.length,
    liveNodes: liveNodes.length,
    reachableShare: liveNodes.length === 0 ? 1 : liveNodes.filter((row) => reached.has(row)).length / liveNodes.length,
    meanBaseLinks: nodes.reduce((sum, row) => sum + linksOf(kernel, view, row, 0).length, 0) / Math.max(1, nodes.length),
  };
}

function countFaults(kernel: KernelExports, view: MemoryView, rows: readonly number[]): string[] {
  const count = (...states: readonly number[]) => rows.filter((row) => states.includes(kernel.rowState(row))).length;
  const sum = (start: number) =>
    view
      .words(0)
      .subarray(start / 4, start / 4 + blockCountMax)
      .reduce((total, each) => total + each, 0);
  const faults: string[] = [];
  const compare = (name: string, counted: number, real: number) => {
    if (counted !== real) faults.push(`${counted} rows are counted as ${name}, ${real} are`);
  };
  compare('pending', kernel.pendingCount(), count(pending));
  compare('indexed', kernel.indexedCount(), count(linked, indexed));
  compare('pending, by blocks', sum(blockPendingStart), count(pending));
  compare('in transit, by blocks', sum(blockTransitStart), count(linked, retired));
  return faults;
}

function nodeFaults(kernel: KernelExports, view: MemoryView, row: number): string[] {
  const faults: string[] = [];
  const level = kernel.nodeLevel(row);
  for (let l = 0; l <= level; l++) {
    const links = linksOf(kernel, view, row, l);
    if (links.length > kernel.spaceM() * (l === 0 ? 2 : 1)) faults.push(`row ${row} has ${links.length} links at level ${l}`);
    if (new Set(links).size !== links.length) faults.push(`row ${row} has a link twice at level ${l}`);
    for (const neighbour of links) {
      if (neighbour === row) faults.push(`row ${row} links to itself at level ${l}`);
      else if (kernel.isNode(neighbour) === 0) faults.push(`row ${row} links at level ${l} to ${neighbour}, which is no node`);
      else if (kernel.nodeLevel(neighbour) < l) faults.push(`row ${row} links at level ${l} to ${neighbour}, which is lower`);
    }
  }
  return faults;
}

function linksOf(kernel: KernelExports, view: MemoryView, row: number, level: number): number[] {
  const start = (kernel.linksAddress(row, level) >>> 0) / 4;
  const count = view.words(start * 4 + 4)[start] ?? 0;
  return [...view.words((start + 1 + count) * 4).subarray(start + 1, start + 1 + count)];
}

function reach(kernel: KernelExports, view: MemoryView, entry: number): Set<number> {
  const reached = new Set([entry]);
  for (const row of reached) for (const neighbour of linksOf(kernel, view, row, 0)) reached.add(neighbour);
  return reached;
}
