/**
 * What the interface names and this release does not do: each of these answers 501. A group becomes a capability that an operator can
 * switch on once its operations exist.
 */
import type { Method } from './endpoints/endpoint.ts';

export type Capability = {
  readonly name: string;
  readonly endpoints: readonly { readonly method: Method; readonly path: string }[];
};

const collection = '/collections/{collection_name}';

function on(method: Method, ...paths: readonly string[]) {
  return paths.map((path) => ({ method, path }));
}

export const capabilities: readonly Capability[] = [
  {
    name: 'aliases',
    endpoints: [...on('GET', '/aliases', `${collection}/aliases`), ...on('POST', '/aliases', '/collections/aliases')],
  },
  {
    name: 'snapshots',
    endpoints: [
      ...on('GET', `${collection}/snapshots`),
      ...on('POST', `${collection}/snapshots`),
      ...on('DELETE', `${collection}/snapshots/{snapshot_name}`),
    ],
  },
  { name: 'snapshot recovery', endpoints: on('PUT', `${collection}/snapshots/{snapshot_name}/recover`) },
  {
    name: 'maintenance',
    endpoints: on('POST', `${collection}/operations/flush`, `${collection}/operations/optimize`, `${collection}/operations/rebuild_index`),
  },
  { name: 'collection status', endpoints: on('GET', `${collection}/status`) },
  { name: 'grouped search', endpoints: on('POST', `${collection}/points/search/groups`, `${collection}/points/query/groups`) },
  {
    name: 'recommendations',
    endpoints: on(
      'POST',
      `${collection}/points/recommend`,
      `${collection}/points/recommend/batch`,
      `${collection}/points/recommend/groups`,
    ),
  },
  { name: 'discovery', endpoints: on('POST', `${collection}/points/discover`, `${collection}/points/discover/batch`) },
];
