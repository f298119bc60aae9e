// SPDX-License-Identifier: Apache-2.0
/** What one scan was asked for, beyond what its asset says. Stored with the job. */
import type { AssetOptions } from '@sextant/contracts-observability';

export type ScanRequestOptions = Pick<AssetOptions, 'delta_only' | 'skip_investigator' | 'sample_fraction' | 'timestamp_attribute'> & {
  readonly trigger: 'api' | 'schedule';
};
