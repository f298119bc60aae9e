// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { currentSettings } from './settings.ts';

test('the settings are those of the configuration', () => {
  const config = {
    hnsw_config: { m: 32, ef_construct: 200 },
    optimizer_config: { indexing_threshold: 500 },
    quantization_config: { scalar: { type: 'int8' } },
  };
  expect(currentSettings(config)).toEqual({ m: 32, efConstruct: 200, indexingThreshold: 500, quantization: 'scalar' });
});

test('what is not said is as usual', () => {
  expect(currentSettings({ quantization_config: null })).toEqual({
    m: 16,
    efConstruct: 100,
    indexingThreshold: 10_000,
    quantization: 'none',
  });
});
