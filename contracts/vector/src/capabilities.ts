// SPDX-License-Identifier: Apache-2.0
/**
 * Groups of endpoints that answer 501 until an operator switches them on, so that a service that nobody has configured does what the
 * specification says to the letter. Those without operations answer 501 in any case.
 */
import type { CapabilityName, Endpoint, Method } from './endpoints/endpoint.ts';

export type Capability = {
  readonly name: CapabilityName;
  readonly title: string;
  readonly endpoints: readonly { readonly method: Method; readonly path: string }[];
};

const collection = '/collections/{collection_name}';

function on(method: Method, ...paths: readonly string[]) {
  return paths.map((path) => ({ method, path }));
}

export const capabilities: readonly Capability[] = [
  {
    name: 'aliases',
    title: 'aliases',
    endpoints: [...on('GET', '/aliases', `${collection}/aliases`), ...on('POST', '/aliases', '/collections/aliases')],
  },
  {
    name: 'snapshots',
    title: 'snapshots',
    endpoints: [
      ...on('GET', `${collection}/snapshots`),
      ...on('POST', `${collection}/snapshots`),
      ...on('GET', `${collection}/snapshots/{snapshot_name}`),
      ...on('DELETE', `${collection}/snapshots/{snapshot_name}`),
      ...on('GET', '/snapshots', '/snapshots/{snapshot_name}'),
      ...on('POST', '/snapshots'),
      ...on('DELETE', '/snapshots/{snapshot_name}'),
    ],
  },
  {
    name: 'recovery',
    title: 'snapshot recovery',
    endpoints: [
      ...on('PUT', `${collection}/snapshots/recover`, `${collection}/snapshots/{snapshot_name}/recover`),
      ...on('POST', `${collection}/snapshots/upload`),
    ],
  },
  {
    name: 'maintenance',
    title: 'maintenance',
    endpoints: on('POST', `${collection}/operations/flush`, `${collection}/operations/optimize`, `${collection}/operations/rebuild_index`),
  },
  { name: 'status', title: 'collection status', endpoints: on('GET', `${collection}/status`, `${collection}/optimizations`) },
  {
    name: 'groups',
    title: 'grouped search',
    endpoints: on('POST', `${collection}/points/search/groups`, `${collection}/points/query/groups`),
  },
  {
    name: 'recommendations',
    title: 'recommendations',
    endpoints: on(
      'POST',
      `${collection}/points/recommend`,
      `${collection}/points/recommend/batch`,
      `${collection}/points/recommend/groups`,
    ),
  },
  { name: 'discovery', title: 'discovery', endpoints: on('POST', `${collection}/points/discover`, `${collection}/points/discover/batch`) },
];

/** Those that an operator can switch on: every endpoint of theirs has its row in the table. */
export const builtCapabilities: readonly CapabilityName[] = [
  'aliases',
  'snapshots',
  'recovery',
  'maintenance',
  'status',
  'groups',
  'recommendations',
  'discovery',
];

/** Whether a service with these capabilities serves an endpoint. */
export function isServed({ capability }: Endpoint, enabled: ReadonlySet<string>): boolean {
  return capability === undefined || enabled.has(capability);
}

/** What answers 501 in a service with these capabilities. */
export function unavailable(
  enabled: ReadonlySet<string>,
): readonly { readonly title: string; readonly method: Method; readonly path: string }[] {
  const off = capabilities.filter(({ name }) => !enabled.has(name) || !builtCapabilities.includes(name));
  return off.flatMap(({ title, endpoints: paths }) => paths.map(({ method, path }) => ({ title, method, path })));
}
