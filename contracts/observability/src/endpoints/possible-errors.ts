// SPDX-License-Identifier: Apache-2.0
/** What a caller of an endpoint can run into. */
import type { ErrorCode } from '../errors.ts';
import type { Endpoint, Requirement } from './endpoint.ts';

/** Wherever a tenant is named. */
const OF_TENANTS = ['unauthorized', 'no_role', 'role_too_small', 'tenant_not_found'] as const satisfies readonly ErrorCode[];
/** Of web pages that have no permission, before anything else is looked at. */
const OF_PAGES = ['host_not_allowed', 'origin_not_allowed'] as const satisfies readonly ErrorCode[];
/** Wherever there is work to do. */
const OF_WORK = ['internal', 'shutting_down', 'store_unavailable'] as const satisfies readonly ErrorCode[];

/** The codes of a row of the table and those that follow from what it needs and reads. */
export function errorsOf(endpoint: Endpoint): readonly ErrorCode[] {
  return [
    ...new Set([
      ...inputErrors(endpoint),
      ...accessErrors(endpoint.needs),
      ...OF_PAGES,
      ...pathErrors(endpoint),
      ...(endpoint.errors ?? []),
      ...workErrors(endpoint),
    ]),
  ];
}

/** Below a tenant, a path names what there is to find. */
function pathErrors({ path }: Endpoint): readonly ErrorCode[] {
  return /\{(?!tenant\})/.test(path) ? ['not_found'] : [];
}

/** A path that cannot be decoded is refused as a body or a query string is. */
function inputErrors({ path, body, query, bodyKind }: Endpoint): readonly ErrorCode[] {
  const readsBody = body !== undefined && bodyKind !== 'stream';
  if (readsBody) return ['bad_request', 'body_too_large', 'unsupported_media_type'];
  return query === undefined && !path.includes('{') ? [] : ['bad_request'];
}

function accessErrors({ scope }: Requirement): readonly ErrorCode[] {
  if (scope === 'public') return [];
  return scope === 'platform' ? ['unauthorized', 'platform_only'] : OF_TENANTS;
}

function workErrors({ needs, body, method }: Endpoint): readonly ErrorCode[] {
  if (needs.scope === 'public' && body === undefined) return [];
  return method === 'GET' ? OF_WORK : [...OF_WORK, 'disk_full'];
}
