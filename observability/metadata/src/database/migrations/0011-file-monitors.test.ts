// SPDX-License-Identifier: Apache-2.0
import { fileMonitors } from './0011-file-monitors.ts';
import { addsMonitorsConformance } from './added-monitors.conformance.ts';

addsMonitorsConformance({
  migration: fileMonitors,
  position: 16,
  monitors: [
    { id: 'REJECTED_ROWS_VIOLATION', enabled: true, threshold: { threshold_type: 'STATIC', threshold1: null, threshold2: 0.1 } },
    { id: 'TYPE_MISMATCH_VIOLATION', enabled: true, threshold: { threshold_type: 'STATIC', threshold1: null, threshold2: 0 } },
    { id: 'VECTOR_DRIFTS' },
    { id: 'SEARCH_RECALL_DRIFTS' },
    { id: 'WRONG_CELLS_DRIFTS' },
  ],
});
