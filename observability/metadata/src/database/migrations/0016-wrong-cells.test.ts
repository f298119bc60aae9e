// SPDX-License-Identifier: Apache-2.0
import { wrongCells } from './0016-wrong-cells.ts';
import { addsMonitorsConformance } from './added-monitors.conformance.ts';

addsMonitorsConformance({
  migration: wrongCells,
  position: 20,
  monitors: [{ id: 'WRONG_CELLS_DRIFTS', name: 'Wrong cells drifts', enabled: true, threshold: { threshold_type: 'ML' } }],
});
