// SPDX-License-Identifier: Apache-2.0
import { loadedModules } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';

/** What takes longest to load of all that the service uses; only threads that answer requests need it. */
const HEAVY = ['typebox', 'fastify', 'prom-client'];

/** Only threads that listen need these. */
const OF_LISTENERS = ['fastify', 'prom-client'];

/** What main, the indexer and the linkers are made of. */
const MODULES = ['./supervisor.ts', '../configuration.ts', '@sextant/vector-collection', '@sextant/foundation-service'];

test('a thread that answers no request loads neither schemas nor the HTTP framework', () => {
  const loaded = loadedModules(MODULES, import.meta.url);
  expect(loaded.length).toBeGreaterThan(100);
  for (const name of HEAVY) expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([]);
});

test('the writer thread, which decodes requests, loads neither the HTTP framework nor the metrics', () => {
  const loaded = loadedModules(
    ['../operations/execute.ts', '../operations/administration-audit.ts', './thread-telemetry.ts', ...MODULES],
    import.meta.url,
  );
  for (const name of OF_LISTENERS) expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([]);
});
