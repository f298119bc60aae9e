// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createResponseMetrics, renderMetrics } from './metrics.ts';

const page = { app: { name: 'sextant', version: '1.2.3' }, collections: [], threads: [], startedSeconds: 1000 };
const search = { endpoint: '/collections/{collection_name}/points/search', method: 'POST' };

test('the counts of all threads are added up', async () => {
  const [one, two] = [createResponseMetrics(), createResponseMetrics()];
  one.observe({ ...search, status: 200, seconds: 0.002 });
  one.observe({ ...search, status: 404, seconds: 0.002 });
  two.observe({ ...search, status: 200, seconds: 0.3 });
  const text = await renderMetrics({ ...page, threads: await Promise.all([one.snapshot(), two.snapshot()]) });
  const labels = 'endpoint="/collections/{collection_name}/points/search",method="POST"';
  expect(text).toContain(`rest_responses_total{${labels},status="200"} 2`);
  expect(text).toContain(`rest_responses_fail_total{${labels},status="404"} 1`);
  expect(text).not.toContain(`rest_responses_fail_total{${labels},status="200"}`);
  expect(text).toMatch(/rest_responses_duration_seconds_bucket\{le="0.0025",.*status="200"\} 1\n/);
  expect(text).toMatch(/rest_responses_duration_seconds_count\{.*status="200"\} 2\n/);
});

test('a snapshot survives the way to another thread', async () => {
  const thread = createResponseMetrics();
  thread.observe({ ...search, status: 200, seconds: 0.1 });
  const text = await renderMetrics({ ...page, threads: [structuredClone(await thread.snapshot())] });
  expect(text).toMatch(/rest_responses_total\{.*\} 1\n/);
});

test('an invented method does not make a label of its own', async () => {
  const thread = createResponseMetrics();
  for (const method of ['BREW', 'WHEN']) thread.observe({ endpoint: 'unmatched', method, status: 405, seconds: 0 });
  const text = await renderMetrics({ ...page, threads: [await thread.snapshot()] });
  expect(text).toContain('rest_responses_total{endpoint="unmatched",method="other",status="405"} 2');
});

test('collections and the process are there without any response', async () => {
  const text = await renderMetrics({ ...page, collections: [{ name: 'cats', points: 3, vectors: 6 }] });
  expect(text).toContain('app_info{name="sextant",version="1.2.3"} 1');
  expect(text).toContain('collections_total 1');
  expect(text).toContain('collection_points{id="cats"} 3');
  expect(text).toContain('collection_vectors{id="cats"} 6');
  expect(text).toContain('process_start_time_seconds 1000');
  expect(text).toMatch(/memory_resident_bytes [1-9]/);
  expect(text).toMatch(/process_cpu_seconds_total [0-9.]+/);
});

test.runIf(process.platform === 'linux')(
  'memory, threads and page faults have the names that dashboards of this family look for',
  async () => {
    const text = await renderMetrics(page);
    const figureOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    const [allocated, active, resident] = ['allocated', 'active', 'resident'].map((kind) => figureOf(`memory_${kind}_bytes`));
    expect(allocated).toBeGreaterThan(1_000_000);
    expect(active).toBeGreaterThanOrEqual(allocated ?? 0);
    expect(resident).toBeGreaterThan(1_000_000);
    for (const name of ['memory_retained_bytes', 'process_threads', 'process_open_mmaps', 'system_max_mmaps'])
      expect(figureOf(name)).toBeGreaterThan(0);
    expect(text).toMatch(/^# TYPE process_minor_page_faults_total counter$/m);
    expect(text).toMatch(/^process_major_page_faults_total \d+$/m);
  },
);

test('every line is a comment or a sample', async () => {
  const thread = createResponseMetrics();
  thread.observe({ ...search, status: 200, seconds: 0.1 });
  const collections = [{ name: 'a "quoted"\\name\n', points: 1, vectors: 1 }];
  const text = await renderMetrics({ ...page, collections, threads: [await thread.snapshot()] });
  for (const line of text.split('\n')) expect(line).toMatch(/^$|^# (HELP|TYPE) |^[a-z_]+(\{.*\})? [0-9.e+-]+$/);
});
