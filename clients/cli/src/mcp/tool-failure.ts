// SPDX-License-Identifier: Apache-2.0
/** What a refusal of a service means for an agent: it has tools and their arguments, no command line. */
import { ApiError, ConnectionError, NotReadyError, RateLimitError, type SextantError, TimeoutError } from '@sextant/sdk';
import type { ToolFailure } from './tool.ts';

export function toolFailure(error: SextantError): ToolFailure {
  return { message: error.message, advice: adviceFor(error) };
}

function adviceFor(error: SextantError): string | undefined {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return `The ${error.service} service does not answer; the operator of this server can start it or correct its address.`;
  }
  if (error instanceof NotReadyError || error instanceof RateLimitError) return 'Call the tool again in a moment.';
  return error instanceof ApiError ? adviceForStatus(error) : undefined;
}

function adviceForStatus({ status, service, code }: ApiError): string | undefined {
  if (status === 401 || status === 403)
    return `The operator of this server can give it a credential of the ${service} service with the needed permission.`;
  if (status === 404 && code === 'collection_not_found') return 'The tool list_collections lists the collections.';
  if (status === 404 && service === 'observability') return 'The tools asset_health and list_incidents list assets and incidents.';
  return [502, 503, 504].includes(status) ? 'Call the tool again in a moment.' : undefined;
}
