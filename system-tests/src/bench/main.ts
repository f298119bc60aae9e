/**
 * `npm run bench:vector`: the server against two libraries, on the same vectors in the same run.
 *
 *   --data mixture|mnist   128 generated dimensions, or MNIST's 784 (default mixture)
 *   --points n             default 20000; `--full` is 60000
 *   --queries n            default 500
 *   --rounds n             default 3
 *   --no-peers             the server alone
 *   --write                put the result into docs/benchmarks.md
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { measure } from './measure.ts';
import { installPeers } from './peers/install.ts';
import { PEERS } from './peers/protocol.ts';
import { startPeer } from './peers/subject.ts';
import { report } from './report.ts';
import { startServerSubject } from './server-subject.ts';
import { percentile } from './statistics.ts';
import type { Subject } from './subject.ts';
import { makeWorkload, SELECTIONS, saveWorkload } from './workload.ts';

const SEED = 20_260_101;
const FULL_POINTS = 60_000;
const IN_FLIGHT = 8;
const INTERFERENCE_SECONDS = 10;
const PAGE = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'mixture' },
    points: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
    full: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: true },
    write: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
if (values.data !== 'mixture' && values.data !== 'mnist') throw new Error(`--data is "${values.data}"; it must be mixture or mnist`);
const rounds = count('rounds');

const workload = await makeWorkload({
  data: values.data,
  points: values.full ? FULL_POINTS : count('points'),
  queries: count('queries'),
  seed: SEED,
});
await using stack = new AsyncDisposableStack();
const exchange = stack.use(await temporaryDirectory());
const data = stack.use(await temporaryDirectory());
const server = stack.use(await startServerSubject(data.path, workload));
const peers: Subject[] = [];
if (values.peers && installPeers()) {
  await saveWorkload(exchange.path, workload);
  for (const name of PEERS) {
    const peer = await startPeer(name, exchange.path);
    if (peer !== undefined) peers.push(stack.use(peer));
  }
}

const [figures, ...peerFigures] = await measure([server, ...peers], workload, rounds);
if (figures === undefined) throw new Error('the server is always measured');
const throughput: number[] = [];
for (const selection of SELECTIONS.keys()) throughput.push(await server.throughput(selection, IN_FLIGHT));
console.log('Searching while another client upserts');
const { latenciesMs, pointsPerSecond } = await server.searchWhileUpserting(INTERFERENCE_SECONDS);
const interference = {
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
  searches: latenciesMs.length,
  pointsPerSecond,
};

const page = report({ workload, rounds, server: figures, peers: peerFigures, throughput, inFlight: IN_FLIGHT, interference });
console.log(`\n${page}`);
if (values.write) {
  await writeFile(PAGE, `# Benchmarks\n\nWritten by \`npm run bench:vector -- --write\`; run it on your own machine.\n\n${page}\n`);
}

function count(name: 'points' | 'queries' | 'rounds'): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is "${values[name]}"; it must be a whole number above 0`);
  return value;
}
