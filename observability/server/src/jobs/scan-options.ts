// SPDX-License-Identifier: Apache-2.0
/** What one scan was asked for, beyond what its asset says. Stored with the job. */
import type { AssetOptions } from '@sextant/contracts-observability';
import type { TracePlace } from '@sextant/foundation-std';

export type ScanRequestOptions = Pick<AssetOptions, 'delta_only' | 'skip_investigator' | 'sample_fraction' | 'timestamp_attribute'> & {
  readonly trigger: 'api' | 'schedule';
  /** Of the request for the scan, where it was traced. */
  readonly trace?: TracePlace;
};
