// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:request-overhead`: what a search costs the service apart from the engine; see costs.ts.
 *
 *   --searches n   per subject and round, default 10000: an engine that was idle tidies its memory up first, which few searches would not spread
 *   --rounds n     default 5
 *   --digits n     significant digits of each component, default 5; 9 is what a float32 needs, 17 what a double needs
 *   --threads n    also searches per second with one and with n serving threads (default 0: leave it out)
 */
import { seededRandom } from '@sextant/foundation-std';
import { readFlags } from '@sextant/foundation-testing';
import { encodeRequests, sendLoad } from '../load/http-load.ts';
import { CONNECTIONS, measureCosts, renderCosts, SEED } from './costs.ts';
import { DIMENSIONS, makeVectors } from './requests.ts';
import { startServiceSubject } from './service-subject.ts';

/** Searches before the first that counts: the optimising compiler needs some. */
const WARM_UP = 4000;

const { values } = readFlags({
  options: {
    searches: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    digits: { type: 'string', default: '5' },
    threads: { type: 'string', default: '0' },
  },
});
const [searches = 0, rounds = 0, digits = 0, threads = 0] = [values.searches, values.rounds, values.digits, values.threads].map(Number);

console.log(renderCosts(await measureCosts({ searches, rounds, digits }), { searches, rounds }));
if (threads > 1) await measureThreads(searches, threads, digits);

/** The load shares the machine, so on few cores the second serving thread competes with it. */
async function measureThreads(searchCount: number, threadCount: number, digitCount: number): Promise<void> {
  const set = makeVectors({ dimension: DIMENSIONS[0], digits: digitCount, random: seededRandom(SEED) });
  const rates: number[] = [];
  for (const count of [1, threadCount]) {
    await using service = await startServiceSubject([set], { threads: count });
    const target = service.target(0, false);
    const requests = encodeRequests(target, set.requests(false));
    const send = (most: number) => sendLoad(target.port, requests, { length: { requests: most }, connections: CONNECTIONS });
    await send(WARM_UP * count);
    const startedMs = performance.now();
    await send(searchCount * count);
    rates.push((searchCount * count * 1000) / (performance.now() - startedMs));
  }
  const [one = Number.NaN, many = Number.NaN] = rates;
  console.log(
    `Searches/s: ${Math.round(one)} with 1 serving thread, ${Math.round(many)} with ${threadCount} (${(many / one).toFixed(2)} x).`,
  );
}
