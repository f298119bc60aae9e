// SPDX-License-Identifier: Apache-2.0
/** Metrics as people call them. */
import type { MetricName } from '@sextant/contracts-observability';

/** Where the name in words is not simply the name with a capital. */
const SPECIAL = {
  MIN: 'Minimum',
  MAX: 'Maximum',
  STDDEV: 'Standard deviation',
  CONTAINS_PII: 'PII %',
  NULL_PERCENTAGE: 'Null %',
  EMPTY_PERCENTAGE: 'Empty %',
  SCHEMA: 'Schema changes',
  CUSTOM: 'Custom metric',
  TYPE_MISMATCH: 'Values of another type',
  VECTOR_NAN_COUNT: 'Vector NaN count',
} as const satisfies { readonly [Name in MetricName]?: string };

const SPECIAL_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(SPECIAL));

/** `COMPLETENESS` is "Completeness"; a name that is no metric is put in words too. */
export function displayMetricName(name: string): string {
  return SPECIAL_NAMES.get(name) ?? inWords(name);
}

function inWords(name: string): string {
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
