// SPDX-License-Identifier: Apache-2.0
/** Snapshots in the metrics, by the names that services of this API family give them. */
import type { Figure } from '@sextant/foundation-service/http';
import type { SnapshotGauges } from './snapshot-gauges.ts';

export function snapshotFigures(gauges: SnapshotGauges): readonly Figure[] {
  return [
    { name: 'snapshot_creation_running', help: 'Snapshots that are being written', value: gauges.read('creating') },
    { name: 'snapshot_recovery_running', help: 'Recoveries that are running', value: gauges.read('recovering') },
    { name: 'snapshot_created_total', help: 'Snapshots written since the start', value: gauges.read('created') },
    { name: 'snapshot_recovered_total', help: 'Recoveries that succeeded since the start', value: gauges.read('recovered') },
    {
      name: 'snapshot_failed_total',
      help: 'Snapshots and recoveries that failed or were refused since the start',
      value: gauges.read('failed'),
    },
  ];
}
