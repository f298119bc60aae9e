/**
 * `npm run bench:way-in`: what a search costs the service apart from the engine, in microseconds of CPU time. A small collection is searched
 * over keep-alive connections; the kernel's own time, measured in this process, is taken off. Beside it, on the same bytes in the same
 * rounds: `node:http` alone, and Fastify with a schema and `JSON.parse`.
 *
 *   --searches n   per subject and round, default 10000: an engine that was idle tidies its memory up first, which few searches would not spread
 *   --rounds n     default 5; the lowest counts, because whatever else the machine does only ever adds CPU time
 *   --digits n     significant digits of each component, default 9 (what a float32 needs); 17 is what a double needs
 *   --threads n    also searches per second with one and with n serving threads (default 0: leave it out)
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '@sextant/foundation-std';
import { engineTimer } from './engine-time.ts';
import { httpLoad } from './http-load.ts';
import { PEER_KINDS, startWayInPeer } from './peer.ts';
import { DIMENSIONS, makeVectors } from './requests.ts';
import { startServiceSubject } from './service-subject.ts';
import type { WayInSubject } from './subject.ts';

const SEED = 20_260_102;
const CONNECTIONS = 16;
/** Searches before the first that counts: the optimising compiler needs some. */
const WARM_UP = 4000;

const { values } = parseArgs({
  options: {
    searches: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    digits: { type: 'string', default: '5' },
    threads: { type: 'string', default: '0' },
  },
});
const [searches, rounds, digits, threads] = [values.searches, values.rounds, values.digits, values.threads].map(Number);

await measureCosts(Number(searches), Number(rounds), Number(digits));
if (Number(threads) > 1) await measureThreads(Number(searches), Number(threads), Number(digits));

async function measureCosts(searchCount: number, roundCount: number, digitCount: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const vectors = DIMENSIONS.map((dimension) => makeVectors({ dimension, digits: digitCount, random: seededRandom(SEED) }));
  const service = stack.use(await startServiceSubject(vectors, { threads: 1 }));
  const peers: WayInSubject[] = [];
  for (const kind of PEER_KINDS) peers.push(stack.use(await startWayInPeer(kind, service.sampleAnswers)));
  const subjects = [service, ...peers];

  const cases = vectors.flatMap((set, position) =>
    [false, true].map((withPayload) => ({
      name: `${set.dimension}${withPayload ? ', with payload' : ''}`,
      requests: set.requests(withPayload),
      engineMicroseconds: engineTimer(set),
      targets: subjects.map((subject) => ({ subject, target: subject.target(position, withPayload) })),
      lowest: ['engine', ...subjects].map(() => Number.POSITIVE_INFINITY),
    })),
  );
  // The first round is not counted: the optimising compiler needs it.
  for (let round = 0; round <= roundCount; round++) {
    for (const { requests, engineMicroseconds, targets, lowest } of cases) {
      const costs = [engineMicroseconds()];
      for (const { subject, target } of targets) {
        const before = await subject.cpuMicroseconds();
        await httpLoad(target, requests, { count: searchCount, connections: CONNECTIONS });
        costs.push(((await subject.cpuMicroseconds()) - before) / searchCount);
      }
      if (round > 0) for (const [index, cost] of costs.entries()) lowest[index] = Math.min(lowest[index] ?? cost, cost);
    }
  }
  const header = ['dimensions, payload', 'engine', ...subjects.map(({ name }) => name), ...peers.map(({ name }) => `service / ${name}`)];
  const rows = cases.map(({ name, lowest: [engine = Number.NaN, whole = Number.NaN, ...others] }) => {
    const own = whole - engine;
    return [name, ...[engine, own, ...others].map((cost) => cost.toFixed(1)), ...others.map((other) => (own / other).toFixed(2))];
  });
  console.log(
    `Microseconds of CPU time for each search, engine apart; limit 10, the lowest of ${roundCount} interleaved rounds of ${searchCount}.`,
  );
  for (const cells of [header, header.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}

/** The load shares the machine, so on few cores the second serving thread competes with it. */
async function measureThreads(searchCount: number, threadCount: number, digitCount: number): Promise<void> {
  const set = makeVectors({ dimension: DIMENSIONS[0], digits: digitCount, random: seededRandom(SEED) });
  const rates: number[] = [];
  for (const count of [1, threadCount]) {
    await using service = await startServiceSubject([set], { threads: count });
    const requests = set.requests(false);
    await httpLoad(service.target(0, false), requests, { count: WARM_UP * count, connections: CONNECTIONS });
    const startedMs = performance.now();
    await httpLoad(service.target(0, false), requests, { count: searchCount * count, connections: CONNECTIONS });
    rates.push((searchCount * count * 1000) / (performance.now() - startedMs));
  }
  const [one = Number.NaN, many = Number.NaN] = rates;
  console.log(
    `Searches/s: ${Math.round(one)} with 1 serving thread, ${Math.round(many)} with ${threadCount} (${(many / one).toFixed(2)} x).`,
  );
}
