// SPDX-License-Identifier: Apache-2.0
import { AggregatorRegistry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { addedUp, collectionMetrics, durationMetrics, RequestStatistics } from './request-statistics.ts';

const search = { transport: 'rest', collection: 'a', endpoint: 'POST /collections/{collection_name}/points/search', status: 200 } as const;

describe('statistics of requests', () => {
  test('keep the count, the extremes and the time of the last', () => {
    const statistics = new RequestStatistics();
    for (const [seconds, nowMs] of [
      [0.002, 10],
      [0.004, 20],
      [0.003, 30],
    ] as const) {
      statistics.observe(search, seconds, nowMs);
    }
    expect(statistics.snapshot()).toMatchObject([{ ...search, count: 3, minSeconds: 0.002, maxSeconds: 0.004, lastMs: 30 }]);
    expect(statistics.snapshot()[0]?.totalSeconds).toBeCloseTo(0.009);
  });

  test('of several threads are added up by what is asked for', () => {
    const threads = [new RequestStatistics(), new RequestStatistics()];
    for (const [index, thread] of threads.entries()) {
      thread.observe(search, 0.001 * (index + 1), index);
      thread.observe({ ...search, collection: 'b' }, 0.01, index);
    }
    const sums = addedUp(
      threads.map((thread) => thread.snapshot()),
      ({ endpoint }) => endpoint,
    );
    expect([...sums.values()]).toMatchObject([{ count: 4, minSeconds: 0.001, maxSeconds: 0.01, lastMs: 1 }]);
  });

  test('of a collection that is gone are forgotten, and those of others kept', () => {
    const statistics = new RequestStatistics();
    statistics.observe(search, 0.1, 0);
    statistics.observe({ ...search, collection: 'b' }, 0.1, 0);
    statistics.forget('a');
    expect(statistics.snapshot()).toMatchObject([{ collection: 'b' }]);
  });

  test('of very many collections are counted under none, and take no more memory', () => {
    const statistics = new RequestStatistics();
    for (let index = 0; index < 20_050; index++) statistics.observe({ ...search, collection: `c${index}` }, 0.1, 0);
    expect(statistics.snapshot()).toHaveLength(20_001);
    expect(statistics.snapshot().find(({ collection }) => collection === '')).toMatchObject({ count: 50 });
  });
});

test('average, shortest and longest times are those of all collections and threads together', async () => {
  const threads = [new RequestStatistics(), new RequestStatistics()];
  for (const [index, thread] of threads.entries()) thread.observe({ ...search, collection: `c${index}` }, index + 1, 0);
  const text = await AggregatorRegistry.aggregate([[...durationMetrics(threads.map((thread) => thread.snapshot()))]]).metrics();
  const labels = '{status="200",method="POST",endpoint="/collections/{collection_name}/points/search"}';
  for (const [which, seconds] of Object.entries({ avg: 1.5, min: 1, max: 2 }))
    expect(text).toContain(`rest_responses_${which}_duration_seconds${labels} ${seconds}`);
});

test('the metrics of collections are text of Prometheus with the label `collection`', async () => {
  const statistics = new RequestStatistics();
  statistics.observe(search, 0.0003, 0);
  statistics.observe(search, 20, 0);
  statistics.observe({ ...search, status: 404 }, 0.0003, 0);
  statistics.observe({ transport: 'grpc', collection: 'a', endpoint: 'qdrant.Points/Search', status: 5 }, 0.0003, 0);
  statistics.observe({ ...search, collection: '' }, 0.0003, 0);
  const text = await AggregatorRegistry.aggregate([[...collectionMetrics([statistics.snapshot()])]]).metrics();
  const of = (status: string) => `collection="a",status="${status}",method="POST",endpoint="/collections/{collection_name}/points/search"`;
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '# TYPE rest_responses_total counter',
      `rest_responses_total{${of('200')}} 2`,
      `rest_responses_fail_total{${of('404')}} 1`,
      '# TYPE rest_responses_duration_seconds histogram',
      `rest_responses_duration_seconds_bucket{${of('200')},le="0.0005"} 1`,
      `rest_responses_duration_seconds_bucket{${of('200')},le="10"} 1`,
      `rest_responses_duration_seconds_bucket{${of('200')},le="+Inf"} 2`,
      `rest_responses_duration_seconds_count{${of('200')}} 2`,
      'grpc_responses_total{collection="a",status="5",endpoint="qdrant.Points/Search"} 1',
      'grpc_responses_fail_total{collection="a",status="5",endpoint="qdrant.Points/Search"} 1',
    ]),
  );
  expect(text).not.toContain('collection=""');
});
