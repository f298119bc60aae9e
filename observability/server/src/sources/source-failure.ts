// SPDX-License-Identifier: Apache-2.0
/** The sentence for a person when a source could not be read. */
import { isDiskFullError, OutboundRefusedError, OutboundRequestError } from '@sextant/foundation-service';
import { SourceError } from '@sextant/observability-connectors';
import { MetadataConflict, MetadataMissing } from '@sextant/observability-metadata';
import { ScanError } from '@sextant/observability-scan';

/** The sentence of an error that was written for people; of any other, only its kind: it may hold what is none of a tenant's business. */
export function sourceFailure(error: unknown): string {
  if (error instanceof SourceError || error instanceof OutboundRefusedError || error instanceof OutboundRequestError) return error.message;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return `The source could not be read (${error.code}).`;
  return 'The source could not be read; see the log of the service.';
}

/** The same for a scan, whose own limits also have sentences. */
export function scanFailure(error: unknown): string {
  if (isDiskFullError(error) || saysNoSpace(error))
    return 'The disk of the service is full; start the scan again once there is free space.';
  if (error instanceof ScanError) return error.message;
  if (error instanceof MetadataMissing || error instanceof MetadataConflict) return error.message;
  return sourceFailure(error);
}

/** DuckDB, in a process of its own, says it in words alone. */
function saysNoSpace(error: unknown): boolean {
  return error instanceof Error && error.message.includes('No space left on device');
}
