// SPDX-License-Identifier: Apache-2.0
import { vectorMonitors } from './0013-vector-monitors.ts';
import { addsMonitorsConformance } from './added-monitors.conformance.ts';

addsMonitorsConformance({
  migration: vectorMonitors,
  position: 18,
  monitors: [
    { id: 'VECTOR_DRIFTS', name: 'Vector drifts', enabled: true, threshold: { threshold_type: 'ML', threshold1: null, threshold2: null } },
    { id: 'SEARCH_RECALL_DRIFTS', name: 'Search recall drifts', enabled: true, threshold: { threshold_type: 'ML' } },
    { id: 'WRONG_CELLS_DRIFTS' },
  ],
});
