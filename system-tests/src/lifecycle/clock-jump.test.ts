// SPDX-License-Identifier: Apache-2.0
/** Wall time is set forward and back by days while the service runs: what it measures with durations goes on, and nothing is lost. */
import { type ChildServer, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { calendarIn } from '../console/fixture/calendar.ts';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { untilIndexed } from '../until.ts';
import { type CollectionApi, RequestError, scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const COLLECTION = 'c';
const READS_A_MINUTE = 20;
const READS = 60;
const POINTS_PER_WRITE = 20;
/** So that the first points have a graph. */
const SIZE = 64;

function vectorOf(id: number): readonly number[] {
  return Array.from({ length: SIZE }, (_, index) => (index === 0 ? id : 0));
}

test('a service whose clock jumps by days keeps its promises and its rates', async () => {
  await using directory = await temporaryDirectory();
  await using ofClock = await temporaryDirectory();
  const calendar = calendarIn(ofClock.path);
  const options = { directory: directory.path, environment: { ...calendar.environment, SERVICE_CAPABILITIES: 'snapshots' } };
  const names: string[] = [];
  let written = 0;
  {
    await using server = await startVectorServer(options);
    const api = vectorApi(server.client).collection(COLLECTION);
    await api.create({ vectors: { size: SIZE, distance: 'Euclid' }, ...GRAPH_ALWAYS });
    for (const days of [0, 30, -30, 0.1]) {
      calendar.goToDaysAgo(days);
      await api.upsert(
        Array.from({ length: POINTS_PER_WRITE }, (_, index) => ({ id: written + index, vector: vectorOf(written + index) })),
      );
      written += POINTS_PER_WRITE;
      expect(await api.search({ vector: vectorOf(written - 1), limit: 1 })).toMatchObject([{ id: written - 1, score: 0 }]);
      names.push((await api.createSnapshot()).name);
      await untilIndexed(api);
    }
    expect(new Set(names).size).toBe(names.length);
    expect((await api.snapshots()).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    calendar.goToDaysAgo(7);
    await server.stop();
  }
  await using server = await startVectorServer({ ...options, environment: { ...options.environment, ...TWO_THREADS } });
  expect(await scrollAll(vectorApi(server.client).collection(COLLECTION))).toHaveLength(written);
  await expectRatesHold(server, calendar);
});

/** A rate of requests neither opens nor closes when the clock is set forward or back by a day. */
async function expectRatesHold(server: ChildServer, calendar: ReturnType<typeof calendarIn>): Promise<void> {
  const vectors = vectorApi(server.client);
  const admitted = async (api: CollectionApi) => {
    const reads = Array.from({ length: READS }, () => api.search({ vector: [0, 0], limit: 1 }));
    const refusals = (await Promise.allSettled(reads)).flatMap((read): unknown[] => (read.status === 'rejected' ? [read.reason] : []));
    for (const reason of refusals) if (!(reason instanceof RequestError && reason.status === 429)) throw reason;
    return READS - refusals.length;
  };
  const strict = { enabled: true, read_rate_limit: READS_A_MINUTE };
  for (const days of [-1, 1]) {
    calendar.goToDaysAgo(0);
    const api = vectors.collection(`${COLLECTION} ${days}`);
    await api.create({ vectors: { size: 2, distance: 'Euclid' }, strict_mode_config: strict });
    expect(await admitted(api)).toBeGreaterThanOrEqual(READS_A_MINUTE);
    calendar.goToDaysAgo(-days);
    // Few come back while these lines run, and a bucket that was opened would hold a minute of them.
    expect(await admitted(api)).toBeLessThan(READS_A_MINUTE);
  }
}
