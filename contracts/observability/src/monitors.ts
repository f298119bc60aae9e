// SPDX-License-Identifier: Apache-2.0
/** Monitors (formerly alert policies): what is watched, within which band, and who hears of it. */

import { METRIC_NAMES } from './metrics.ts';

/** The monitors that every asset has from the start, by id; the name is the id in words. */
export const PREBUILT_MONITOR_IDS = [
  'RECORD_COUNT_DRIFTS',
  'RECORD_COUNT_CORRELATION_DRIFTS',
  'FRESHNESS_DRIFTS',
  'COMPLETENESS_DRIFTS',
  'DQ_RULES_VIOLATION',
  'RECORD_ID_UNIQUENESS_DRIFTS',
  'UNIQUENESS_DRIFTS',
  'UNIQUENESS_CORRELATION_DRIFTS',
  'SCHEMA_DRIFTS',
  'DATA_DRIFTS',
  'NUMERIC_VALUE_DRIFTS',
  'TOP_VALUES_DRIFTS',
  'VALUE_DISTRIBUTION_DRIFTS',
  'DATA_DIFFERENCE',
  'PII_EXPOSURE',
  'DATA_PROCESS_FAILURE',
  'REJECTED_ROWS_VIOLATION',
  'TYPE_MISMATCH_VIOLATION',
  'VECTOR_DRIFTS',
  'SEARCH_RECALL_DRIFTS',
  'WRONG_CELLS_DRIFTS',
] as const;

/** What a monitor of type PREDEFINED_METRIC can watch: a metric, or what a pre-built monitor of that id makes of several. */
export const PREDEFINED_METRICS = [...METRIC_NAMES, ...PREBUILT_MONITOR_IDS] as const;
