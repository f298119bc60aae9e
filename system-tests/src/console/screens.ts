// SPDX-License-Identifier: Apache-2.0
/** Every screen of the console: where it is, what must be there. `screens.integration.test.ts` looks at each. */
import { MNIST } from './fixture/mnist-collection.ts';
import type { SeededTenant } from './fixture/seeded-tenant.ts';

export type Screen = {
  /** What stands behind the # of the address. */
  readonly at: string | ((tenant: SeededTenant) => string);
  /** Its heading of the first level. */
  readonly heading: string | RegExp;
  /** Texts that are there once it has loaded. */
  readonly shows?: readonly (string | RegExp)[];
};

export const SCREENS: { readonly [name: string]: Screen } = {
  collections: { at: '/collections', heading: 'Collections', shows: [MNIST] },
  'a collection': { at: `/collections/${MNIST}`, heading: MNIST, shows: ['Field indexes'] },
  'points of a collection': { at: `/collections/${MNIST}?tab=points`, heading: MNIST, shows: [/^1 to \d+ of/] },
  'search in a collection': { at: `/collections/${MNIST}?tab=search`, heading: MNIST },
  'map of a collection': { at: `/collections/${MNIST}?tab=map`, heading: MNIST, shows: ['laid out by their neighbours (UMAP)'] },
  cluster: { at: '/cluster', heading: 'Cluster', shows: ['This service is a single node'] },
  access: { at: '/access', heading: 'Access' },

  overview: { at: '/overview', heading: 'Overview', shows: ['Open incidents', 'Lowest scores'] },
  assets: { at: '/assets', heading: 'Assets', shows: ['flights', 'weather', 'airports'] },
  'an asset': { at: ({ assetIds: { flights } }) => `/assets/0/${flights}`, heading: 'flights', shows: ['Scans', 'Metrics over time'] },
  'an asset: charts of an attribute': {
    at: ({ assetIds: { flights } }) => `/assets/0/${flights}?of=delay`,
    heading: 'flights',
    shows: ['Metrics over time'],
  },
  ...tabsOfAnAsset(),
  lineage: { at: '/lineage', heading: 'Lineage', shows: ['flights', 'weather'] },
  monitors: { at: '/monitors', heading: 'Monitors', shows: [/three hours late/] },
  'a new monitor': {
    at: ({ assetIds: { flights } }) => `/assets/0/${flights}/monitors/new`,
    heading: 'New monitor',
    shows: [/^Would have raised/],
  },
  'a pre-built monitor': {
    at: ({ assetIds: { flights } }) => `/assets/0/${flights}/monitors/NUMERIC_VALUE_DRIFTS`,
    heading: 'Numeric value drifts',
    shows: [/^Would have raised/],
  },
  'a rule': {
    at: ({ assetIds: { flights }, ruleId }) => `/assets/0/${flights}/monitors/${ruleId}`,
    heading: /three hours late/,
    shows: [/^Would have raised/],
  },
  incidents: { at: '/incidents', heading: 'Incidents', shows: ['Numeric value drifts'] },
  'an open incident': { at: ({ openIncidentId }) => `/incidents/${openIncidentId}`, heading: /Numeric value drifts/ },
  'a closed incident': { at: ({ closedIncidentId }) => `/incidents/${closedIncidentId}`, heading: /./ },

  'settings: connections': { at: '/settings/connections', heading: 'Settings' },
  'settings: channels': { at: '/settings/channels', heading: 'Settings', shows: ['data team'] },
  'settings: ticket templates': { at: '/settings/ticket-templates', heading: 'Settings', shows: ['Data defect', 'Disconnect'] },
  'settings: a ticket template': {
    at: ({ templateId }) => `/settings/ticket-templates/${templateId}`,
    heading: 'Settings',
    shows: ['sextant-incident-default-1'],
  },
  'settings: API keys': { at: '/settings/api-keys', heading: 'Settings', shows: ['deliveries'] },
  'settings: users': { at: '/settings/users', heading: 'Settings', shows: ['admin@localhost', 'Your password'] },
  'settings: spark jobs': { at: '/settings/spark', heading: 'Settings', shows: ['Cluster C'] },
  'settings: reports': { at: '/settings/reporting', heading: 'Settings', shows: ['Scan reports'] },
  'settings: deliveries': { at: '/settings/deliveries', heading: 'Settings', shows: ['Nothing was sent yet'] },
  'settings: background errors': { at: '/settings/errors', heading: 'Settings', shows: ['Nothing failed'] },
  'settings: audit trail': { at: '/settings/audit', heading: 'Settings', shows: ['created the channel'] },
};

/** What an asset's page shows beside its overview. */
function tabsOfAnAsset(): { readonly [name: string]: Screen } {
  const tabs = ['score', 'attributes', 'scans', 'monitors', 'suggestions', 'schema', 'lineage', 'settings'];
  return Object.fromEntries(
    tabs.map((tab) => [
      `an asset: ${tab}`,
      { at: ({ assetIds: { flights } }: SeededTenant) => `/assets/0/${flights}?tab=${tab}`, heading: 'flights' },
    ]),
  );
}

export function addressOf({ at }: Pick<Screen, 'at'>, tenant: SeededTenant): string {
  return typeof at === 'string' ? at : at(tenant);
}
