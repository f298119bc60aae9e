// SPDX-License-Identifier: Apache-2.0
import { loadedModules } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';

test('who loads this package loads no DuckDB: the processes of scans do, and the service does not', () => {
  const loaded = loadedModules(['./index.ts'], import.meta.url);
  expect(loaded.length).toBeGreaterThan(50);
  expect(loaded.filter((url) => url.includes('/node_modules/@duckdb/'))).toEqual([]);
});
