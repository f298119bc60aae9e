// SPDX-License-Identifier: Apache-2.0
/** The frame of every screen: where one can go, and how it looks. */
import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconActivity,
  IconAlertTriangle,
  IconDatabase,
  IconGauge,
  IconKey,
  IconMoon,
  IconSettings,
  IconSitemap,
  IconSun,
  IconTable,
  IconTopologyRing,
} from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Dimmed } from '../ui/dimmed.tsx';
import mark from '../ui/sextant.svg';
import { MemberMenu } from './member.tsx';
import { ReadOnlyNotice } from './read-only-notice.tsx';

type Place = {
  readonly to: '/collections' | '/cluster' | '/access' | '/overview' | '/assets' | '/monitors' | '/lineage' | '/incidents' | '/settings';
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
};

const PARTS: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  {
    title: 'Vectors',
    places: [
      { to: '/collections', label: 'Collections', icon: IconDatabase },
      { to: '/cluster', label: 'Cluster', icon: IconTopologyRing },
      { to: '/access', label: 'Access', icon: IconKey },
    ],
  },
  {
    title: 'Data health',
    places: [
      { to: '/overview', label: 'Overview', icon: IconGauge },
      { to: '/assets', label: 'Assets', icon: IconTable },
      { to: '/monitors', label: 'Monitors', icon: IconActivity },
      { to: '/lineage', label: 'Lineage', icon: IconSitemap },
      { to: '/incidents', label: 'Incidents', icon: IconAlertTriangle },
      { to: '/settings', label: 'Settings', icon: IconSettings },
    ],
  },
];

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  return (
    <AppShell header={{ height: 44 }} navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }} padding="md">
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={isOpen ? 'Hide the menu' : 'Show the menu'} />
          <img src={mark} alt="" width={22} height={22} />
          <Text fw={600}>Sextant</Text>
          <Group ml="auto" gap="xs">
            <MemberMenu />
            <ColorSchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label="Screens">
        <ScrollArea>
          {PARTS.map(({ title, places }) => (
            <section key={title} aria-label={title}>
              <Dimmed size="xs" fw={600} px="sm" pt="sm" pb={4}>
                {title}
              </Dimmed>
              {places.map(({ to, label, icon: Icon }) => (
                <NavLink
                  key={to}
                  component={Link}
                  to={to}
                  label={label}
                  leftSection={<Icon size={16} stroke={1.6} />}
                  active={pathname === to || pathname.startsWith(`${to}/`)}
                  onClick={close}
                />
              ))}
            </section>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <ReadOnlyNotice />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon aria-label={`Use ${other} colours`} onClick={() => setColorScheme(other)}>
        {scheme === 'dark' ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
