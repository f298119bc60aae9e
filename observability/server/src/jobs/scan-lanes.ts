// SPDX-License-Identifier: Apache-2.0
/** Where scans run: what the service measures itself takes a place of local work, what a database measures for it does not. */
import type { ObservabilityConfiguration } from '../configuration.ts';
import type { Lane } from './job-runner.ts';

const MEASURED_BY_DATABASE = ['POSTGRESQL', 'SPARK'];

type Settings = Pick<ObservabilityConfiguration, 'scanConcurrency' | 'databaseScanConcurrency' | 'scansPerTenant'>;

export function scanLanes({ scanConcurrency, databaseScanConcurrency, scansPerTenant }: Settings): readonly Lane[] {
  // One place is left to the others unless the operator says how many.
  const perTenant = (concurrency: number) => (scansPerTenant === 0 ? Math.max(1, concurrency - 1) : scansPerTenant);
  return [
    { assetTypes: { without: MEASURED_BY_DATABASE }, concurrency: scanConcurrency, perTenant: perTenant(scanConcurrency) },
    { assetTypes: { only: MEASURED_BY_DATABASE }, concurrency: databaseScanConcurrency, perTenant: perTenant(databaseScanConcurrency) },
  ];
}
