// SPDX-License-Identifier: Apache-2.0
/** Paths of the endpoint table as the router writes them, and which methods each has. */
import { type Endpoint, endpoints, type Method, type OperationId } from '@sextant/contracts-observability';
import type { ServedPath } from '@sextant/foundation-service/http';

export type EndpointRow = { readonly id: OperationId; readonly endpoint: Endpoint };

export const endpointRows: readonly EndpointRow[] = Object.entries<Endpoint>(endpoints).map(([id, endpoint]) => ({
  // The keys of the table are the operation ids.
  id: id as OperationId,
  endpoint,
}));

export function pathsOf({ path, aliases }: Endpoint): readonly string[] {
  return [...new Set([path, ...aliases])];
}

/** From the braces of OpenAPI to the colons of the router; a parameter with text behind it in its step must not swallow that text. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}(?=([^/]?))/g, (_braces, name: string, next: string) =>
    next === '' ? `:${name}` : `:${name}(^[^/]+?)`,
  );
}

/** By the shape of the path, so that two parameters of different names at the same place share it. */
export function servedPaths(): readonly ServedPath[] {
  const shapes = new Map<string, { readonly path: string; readonly methods: Method[] }>();
  for (const { endpoint } of endpointRows) {
    for (const path of pathsOf(endpoint)) {
      const shape = path.replaceAll(/\{\w+\}/g, '{}');
      const known = shapes.get(shape) ?? { path, methods: [] };
      known.methods.push(endpoint.method);
      shapes.set(shape, known);
    }
  }
  return [...shapes.values()];
}

/**
 * What a full disk does not refuse beforehand although it is sent: sessions, without which nobody could read, and what is only looked at. A session
 * takes a row, for which the reserve has room.
 */
const WITHOUT_ROOM: ReadonlySet<string> = new Set<OperationId>([
  'get_token',
  'revoke_token',
  'alerts_by_filters',
  'cancel_job',
  'job_alerts',
  'preview_monitor',
  'preview_ticket',
  'test_connection',
  'test_project_connection',
  'test_tracker_connection',
]);

/** What a full disk refuses also where the metadata are in a database elsewhere. */
const WITH_FILES: ReadonlySet<string> = new Set<OperationId>(['create_upload', 'start_scan']);

/**
 * Whether an operation may be begun only where the disk has room.
 * @param keepsMetadata whether the metadata are on that disk
 */
export function needsRoom({ id, endpoint: { method } }: EndpointRow, keepsMetadata: boolean): boolean {
  if (!keepsMetadata) return WITH_FILES.has(id);
  return !['GET', 'HEAD', 'DELETE'].includes(method) && !WITHOUT_ROOM.has(id);
}
