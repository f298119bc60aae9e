/** The figures as Markdown: for the terminal and for docs/benchmarks.md. */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { CLUSTERS, RANK } from '../data/low-rank-mixture.ts';
import type { SubjectFigures } from './measure.ts';
import { GRAPH, LIMIT, SELECTIONS, type Workload } from './workload.ts';

export type Interference = { readonly p50Ms: number; readonly p99Ms: number; readonly searches: number; readonly pointsPerSecond: number };

export type Results = {
  readonly workload: Workload;
  readonly rounds: number;
  readonly server: SubjectFigures;
  readonly peers: readonly SubjectFigures[];
  /** Searches per second of the server by selection, with `inFlight` requests at a time. */
  readonly throughput: readonly number[];
  readonly inFlight: number;
  readonly interference: Interference;
};

export function report(results: Results): string {
  return [describeRun(results), buildTable(results), searchTable(results), interferenceText(results)].join('\n\n');
}

function describeRun({ workload, rounds }: Results): string {
  const { points, queries, data } = workload;
  const vectors =
    data === 'mnist' ? 'MNIST images' : `a generated mixture of ${CLUSTERS} overlapping clusters that use ${RANK} of the directions`;
  return [
    `${points.count} points of ${points.dimension} dimensions (${vectors}), Euclid, ${queries.count} queries, limit ${LIMIT};`,
    `graph m ${GRAPH.m}, ef_construct ${GRAPH.efConstruct}, ef ${GRAPH.ef} for all. Medians of ${rounds} interleaved rounds.`,
    `Machine: ${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} cores, ${gigabytes(totalmem())} GB memory, Node ${process.version}.`,
    'The server is asked over HTTP and has every write on disk; the libraries are called in process, keep nothing, and search and build with one thread.',
    'usearch has no filter in JavaScript, so its filtered rows are its exact search over a copy of the points that pass.',
  ].join('\n');
}

function buildTable({ workload, server, peers }: Results): string {
  const rows = [server, ...peers].map(({ name, build, residentBytes }) => [
    name,
    build.uploadSeconds === undefined ? '' : whole(workload.points.count / build.uploadSeconds),
    build.seconds.toFixed(1),
    whole(workload.points.count / build.seconds),
    ratio(server.build.seconds, build.seconds),
    whole(residentBytes / 2 ** 20),
    ratio(server.residentBytes, residentBytes),
  ]);
  return table(['', 'upload points/s', 'stored and indexed s', 'points/s', 'server takes', 'resident MB', 'server has'], rows);
}

function searchTable({ server, peers, throughput, inFlight }: Results): string {
  const rows = SELECTIONS.flatMap(({ name: selection }, index) =>
    [server, ...peers].map(({ name, searches }) => {
      const figures = searches[index];
      const own = server.searches[index];
      return [
        selection,
        name,
        (figures?.recall ?? Number.NaN).toFixed(4),
        milliseconds(figures?.p50Ms),
        milliseconds(figures?.p99Ms),
        whole(figures?.perSecond),
        ratio(own?.perSecond, figures?.perSecond),
        name === server.name ? whole(throughput[index]) : ratio(throughput[index], figures?.perSecond),
      ];
    }),
  );
  const header = ['', '', `recall@${LIMIT}`, 'p50 ms', 'p99 ms', 'searches/s', 'server, 1 in flight', `server, ${inFlight} in flight`];
  return table(header, rows);
}

function interferenceText({ interference }: Results): string {
  const { p50Ms, p99Ms, searches, pointsPerSecond } = interference;
  return `While another client upserts batches of 1,000 (${whole(pointsPerSecond)} points/s): search p50 ${milliseconds(p50Ms)} ms, p99 ${milliseconds(p99Ms)} ms over ${searches} searches.`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The server's figure in units of the other's. */
function ratio(server: number | undefined, other: number | undefined): string {
  return server === undefined || other === undefined ? '' : `${(server / other).toFixed(2)} x`;
}

function milliseconds(value: number | undefined): string {
  return (value ?? Number.NaN).toFixed(2);
}

function whole(value: number | undefined): string {
  return Math.round(value ?? Number.NaN).toLocaleString('en');
}

function gigabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 30);
}
