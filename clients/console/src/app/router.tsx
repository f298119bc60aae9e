// SPDX-License-Identifier: Apache-2.0
/** Which address shows which screen. What is open stands in the fragment, so services keep their paths; each screen is a file of its own. */
import {
  type AnyRoute,
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { auditFilterOf } from '../data/audit.ts';
import { deliveryFilterOf } from '../data/deliveries.ts';
import { incidentFilter } from '../data/incidents/filter.ts';
import { assetFilter } from '../features/assets/asset-filter.ts';
import { assetView } from '../features/assets/asset-view.ts';
import { collectionSearch } from '../features/collections/collection-search.ts';
import { monitorFilter } from '../features/monitors/monitor-filter.ts';
import { newMonitorStart } from '../features/monitors/new-monitor.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { NeedsRole } from '../widgets/needs-role.tsx';
import { MemberGate } from './member.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });

/** A screen whose address says nothing besides its path. It loads when it is opened, or when one is about to. */
function screen<Parent extends AnyRoute, const Path extends string>(parent: Parent, path: Path, load: () => Promise<ComponentType>) {
  return createRoute({ getParentRoute: () => parent, path, component: lazyRouteComponent(async () => ({ default: await load() })) });
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: () => <Navigate to="/collections" replace />,
});

const collections = screen(
  root,
  '/collections',
  async () => (await import('../features/collections/collections-screen.tsx')).CollectionsScreen,
);

const collection = createRoute({
  getParentRoute: () => root,
  path: '/collections/$name',
  validateSearch: collectionSearch,
  component: lazyRouteComponent(() => import('./collection-page.tsx'), 'CollectionPage'),
});

const cluster = screen(root, '/cluster', async () => (await import('../features/cluster/cluster-screen.tsx')).ClusterScreen);
const access = screen(root, '/access', async () => (await import('../features/access/access-screen.tsx')).AccessScreen);

/** Everything about data health is for members of a tenant. */
const members = createRoute({
  getParentRoute: () => root,
  id: 'members',
  component: () => (
    <MemberGate>
      <Outlet />
    </MemberGate>
  ),
});

const overview = screen(members, '/overview', async () => (await import('../features/overview/overview-screen.tsx')).OverviewScreen);

const assets = createRoute({
  getParentRoute: () => members,
  path: '/assets',
  validateSearch: assetFilter,
  component: lazyRouteComponent(() => import('../features/assets/assets-screen.tsx'), 'AssetsScreen'),
});

const asset = createRoute({
  getParentRoute: () => members,
  path: '/assets/$projectId/$assetId',
  validateSearch: assetView,
  component: lazyRouteComponent(() => import('./asset-page.tsx'), 'AssetPage'),
});

const lineage = createRoute({
  getParentRoute: () => members,
  path: '/lineage',
  validateSearch: ({ asset: id }: Record<string, unknown>): { asset?: string | undefined } => (typeof id === 'string' ? { asset: id } : {}),
  component: lazyRouteComponent(() => import('../features/lineage/lineage-screen.tsx'), 'LineageScreen'),
});

const monitors = createRoute({
  getParentRoute: () => members,
  path: '/monitors',
  validateSearch: monitorFilter,
  component: lazyRouteComponent(() => import('../features/monitors/monitors-screen.tsx'), 'MonitorsScreen'),
});

const newMonitor = createRoute({
  getParentRoute: () => members,
  path: '/assets/$projectId/$assetId/monitors/new',
  validateSearch: newMonitorStart,
  component: lazyRouteComponent(() => import('../features/monitors/new-monitor-screen.tsx'), 'NewMonitorScreen'),
});

const monitor = screen(
  members,
  '/assets/$projectId/$assetId/monitors/$monitorId',
  async () => (await import('../features/monitors/monitor-screen.tsx')).MonitorScreen,
);

const incidents = createRoute({
  getParentRoute: () => members,
  path: '/incidents',
  validateSearch: incidentFilter,
  component: lazyRouteComponent(() => import('../features/incidents/incidents-screen.tsx'), 'IncidentsScreen'),
});

const incident = screen(members, '/incidents/$id', async () => (await import('../features/incidents/incident-screen.tsx')).IncidentScreen);

/** The frame of the settings. A part is a child here and a tab of `features/settings/settings-screen.tsx`. */
const settings = screen(members, '/settings', async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen);

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: () => <Navigate to="/settings/api-keys" replace />,
});

/** What only admins of the tenant may see. */
const admins = createRoute({
  getParentRoute: () => settings,
  id: 'admins',
  component: () => (
    <NeedsRole atLeast="admin">
      <Outlet />
    </NeedsRole>
  ),
});

const apiKeys = screen(admins, '/api-keys', async () => (await import('../features/settings/api-keys-screen.tsx')).ApiKeysScreen);

const users = screen(settings, '/users', async () => (await import('../features/users/users-screen.tsx')).UsersScreen);

const spark = screen(admins, '/spark', async () => (await import('../features/spark/spark-screen.tsx')).SparkScreen);
const reporting = screen(admins, '/reporting', async () => (await import('../features/settings/reporting-screen.tsx')).ReportingScreen);

const deliveries = createRoute({
  getParentRoute: () => settings,
  path: '/deliveries',
  validateSearch: deliveryFilterOf,
  component: lazyRouteComponent(() => import('../features/settings/deliveries-screen.tsx'), 'DeliveriesScreen'),
});

const backgroundErrors = screen(
  admins,
  '/errors',
  async () => (await import('../features/settings/background-errors-screen.tsx')).BackgroundErrorsScreen,
);

const audit = createRoute({
  getParentRoute: () => admins,
  path: '/audit',
  validateSearch: auditFilterOf,
  component: lazyRouteComponent(() => import('../features/settings/audit-screen.tsx'), 'AuditScreen'),
});

const channels = screen(settings, '/channels', async () => (await import('../features/channels/channels-screen.tsx')).ChannelsScreen);
const ticketTemplates = screen(
  settings,
  '/ticket-templates',
  async () => (await import('../features/tickets/ticket-templates-screen.tsx')).TicketTemplatesScreen,
);
const ticketTemplate = screen(
  settings,
  '/ticket-templates/$templateId',
  async () => (await import('../features/tickets/ticket-template-screen.tsx')).TicketTemplateScreen,
);
const connections = screen(
  settings,
  '/connections',
  async () => (await import('../features/connections/connections-screen.tsx')).ConnectionsScreen,
);

const settingsParts = settings.addChildren([
  settingsHome,
  connections,
  channels,
  ticketTemplates,
  ticketTemplate,
  users,
  deliveries,
  admins.addChildren([apiKeys, spark, reporting, backgroundErrors, audit]),
]);

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    collections,
    collection,
    cluster,
    access,
    members.addChildren([overview, assets, asset, lineage, monitors, newMonitor, monitor, incidents, incident, settingsParts]),
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error }) => <ErrorPanel error={error} doing="show this screen" />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
