// SPDX-License-Identifier: Apache-2.0
import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { Monitor } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { assetList } from '../data/assets/queries.ts';
import { useServices } from '../data/services/services.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Dimmed } from '../ui/dimmed.tsx';
import { TextLink } from '../ui/text-link.tsx';

type DeleteUnlessUsedProps = {
  readonly name: string;
  /** What it is, to follow "delete the". */
  readonly what: string;
  /** The monitors that use it; undefined until they are known. */
  readonly users: { readonly data: readonly Monitor[] | undefined; readonly isPending: boolean };
  /** What to do with these monitors before. */
  readonly first: string;
  /** What it means for whoever depends on the thing. */
  readonly children: ReactNode;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
};

/** Asks, unless monitors use the thing: then it says which, for the service refuses as long as they do. */
export function DeleteUnlessUsed({ name, what, users, first, children, act, onClose }: DeleteUnlessUsedProps) {
  if (users.isPending) {
    return (
      <Modal opened onClose={onClose} title={`Delete ${name}?`}>
        <Skeleton height={60} />
      </Modal>
    );
  }
  if (users.data !== undefined && users.data.length > 0) {
    return (
      <Modal opened onClose={onClose} title={`${name} is in use`}>
        <Stack gap="sm">
          <Text size="sm">{first}</Text>
          <MonitorUsers monitors={users.data} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Confirm title={`Delete ${name}?`} verb="Delete" doing={`delete the ${what}`} act={act} onClose={onClose}>
      {children}
    </Confirm>
  );
}

/** Monitors of several assets, each with the way to it. */
function MonitorUsers({ monitors }: { readonly monitors: readonly Monitor[] }) {
  const { observability } = useServices();
  const assets = useQuery(assetList(observability));
  return (
    <List size="sm" spacing={4}>
      {monitors.map(({ id, asset_id, name }) => {
        const asset = assets.data?.find((each) => each.id === asset_id);
        return (
          <List.Item key={`${asset_id}/${id}`}>
            {asset === undefined ? name : <TextLink to={`/assets/${asset.project_id}/${asset_id}/monitors/${id}`}>{name}</TextLink>}{' '}
            <Dimmed span>of {asset?.name ?? asset_id}</Dimmed>
          </List.Item>
        );
      })}
    </List>
  );
}
