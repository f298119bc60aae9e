/** The parts of the settings, in the order of their tabs. Each has a lazy route of the same address in `app/router.tsx`. */
export const SETTINGS_TABS = [
  { to: '/settings/connections', label: 'Connections' },
  { to: '/settings/channels', label: 'Channels' },
  { to: '/settings/ticket-templates', label: 'Ticket templates' },
  { to: '/settings/users', label: 'Users' },
  { to: '/settings/spark', label: 'Spark jobs' },
  { to: '/settings/reporting', label: 'Reports' },
  { to: '/settings/deliveries', label: 'Deliveries' },
  { to: '/settings/errors', label: 'Background errors' },
  { to: '/settings/audit', label: 'Audit trail' },
  { to: '/settings/api-keys', label: 'API keys' },
] as const;
