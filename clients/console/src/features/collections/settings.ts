// SPDX-License-Identifier: Apache-2.0
/** The settings of a collection that can be changed, out of its configuration, which is echoed as it was given and so looked at with care. */
import { memberOf } from '../../data/collections/queries.ts';
import { QUANTIZATIONS, type Quantization } from './collection-form.ts';

export type Settings = {
  readonly m: number;
  readonly efConstruct: number;
  readonly indexingThreshold: number;
  readonly quantization: Quantization;
};

/** The service's own, where the configuration does not say. */
const USUAL = { m: 16, efConstruct: 100, indexingThreshold: 10_000 };

export function currentSettings(config: unknown): Settings {
  const graph = memberOf(config, 'hnsw_config');
  const quantization = memberOf(config, 'quantization_config');
  return {
    m: numberOr(memberOf(graph, 'm'), USUAL.m),
    efConstruct: numberOr(memberOf(graph, 'ef_construct'), USUAL.efConstruct),
    indexingThreshold: numberOr(memberOf(memberOf(config, 'optimizer_config'), 'indexing_threshold'), USUAL.indexingThreshold),
    quantization: QUANTIZATIONS.find((kind) => memberOf(quantization, kind) !== undefined) ?? 'none',
  };
}

function numberOr(value: unknown, usual: number): number {
  return typeof value === 'number' ? value : usual;
}
