// SPDX-License-Identifier: Apache-2.0
/** Columns that the options of an asset name. Where one has gone, a scan must not go on as if it had never been asked for. */
import type { AssetOptions } from '@sextant/contracts-observability';
import { unknownName } from '@sextant/foundation-std';
import type { Column } from '@sextant/observability-connectors';
import { ScanError } from '../engine/engine.ts';
import type { ScanRequest } from '../scan.ts';
import type { Failure } from './failure.ts';

/** The monitor whose matter it is whether a scan does all that it was asked for. */
const PROCESS = 'DATA_PROCESS_FAILURE';

/** @throws ScanError where other rows would be read than those that were asked for */
export function requireRestrictionColumns(columns: readonly Column[], { options }: Pick<ScanRequest, 'options'>): void {
  const { filter = {}, delta_only: delta, timestamp_attribute: dated } = options;
  const filtered = missing(columns, Object.keys(filter));
  if (filtered !== undefined) throw new ScanError(`The filter cannot be applied: ${filtered}`);
  if (delta !== 'true') return;
  if (dated === undefined)
    throw new ScanError('The asset is set to scan only new records, but it has no timestamp attribute by which to select them');
  const undated = missing(columns, [dated]);
  if (undated !== undefined)
    throw new ScanError(`New records cannot be distinguished from old ones by the timestamp attribute: ${undated}`);
}

export function segmentFailures(columns: readonly Column[], { segments = {} }: AssetOptions): readonly Failure[] {
  const reason = missing(columns, Object.keys(segments));
  return reason === undefined ? [] : [{ monitor_id: PROCESS, reason: `its segments could not be measured: ${reason}` }];
}

function missing(columns: readonly Column[], wanted: readonly string[]): string | undefined {
  const known = columns.map(({ name }) => name);
  const gone = wanted.find((name) => !known.includes(name));
  return gone === undefined ? undefined : unknownName('column of the data', gone, known);
}

/** Whoever skips the investigator wants no rows to look into. */
export function keepsSamples({ skip_investigator }: AssetOptions): boolean {
  return skip_investigator !== 'true';
}
