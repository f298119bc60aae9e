// SPDX-License-Identifier: Apache-2.0
import { Box, Tabs } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Page } from '../../ui/page.tsx';

/** The frame of the settings: one tab for each part, which is a route of its own. Where there is no room the row of tabs scrolls. */
export function SettingsScreen() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const open = SETTINGS_TABS.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open !== undefined) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return (
    <Page title="Settings" {...(open !== undefined && { part: open.label })}>
      <Tabs
        value={open?.to ?? null}
        keepMounted={false}
        activateTabWithKeyboard={false}
        onChange={(value) => {
          const tab = SETTINGS_TABS.find(({ to }) => to === value);
          if (tab !== undefined) void navigate({ to: tab.to });
        }}
      >
        <Box style={{ overflowX: 'auto', scrollbarWidth: 'none' }} mb="md">
          <Tabs.List ref={list} style={{ flexWrap: 'nowrap', width: 'max-content', minWidth: '100%' }}>
            {SETTINGS_TABS.map(({ to, label }) => (
              <Tabs.Tab key={to} value={to}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Box>
        {SETTINGS_TABS.map(({ to }) => (
          <Tabs.Panel key={to} value={to}>
            {to === open?.to && <Outlet />}
          </Tabs.Panel>
        ))}
        {/* Without a part, the address leads to the first one. */}
        {open === undefined && <Outlet />}
      </Tabs>
    </Page>
  );
}

/** The parts of the settings, in the order of their tabs. Each has a lazy route of the same address in `app/router.tsx`. */
const SETTINGS_TABS = [
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
