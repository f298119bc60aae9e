import { Anchor, List, Text } from '@mantine/core';
import type { Monitor } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assetList } from '../data/assets/queries.ts';
import { useServices } from '../data/services/services.tsx';

/** Monitors of several assets, each with the way to it. */
export function MonitorUsers({ monitors }: { readonly monitors: readonly Monitor[] }) {
  const { observability } = useServices();
  const assets = useQuery(assetList(observability));
  return (
    <List size="sm" spacing={4}>
      {monitors.map(({ id, asset_id, name }) => {
        const asset = assets.data?.find((each) => each.id === asset_id);
        return (
          <List.Item key={`${asset_id}/${id}`}>
            {asset === undefined ? (
              name
            ) : (
              <Anchor component={Link} to={`/assets/${asset.project_id}/${asset_id}/monitors/${id}`} size="sm">
                {name}
              </Anchor>
            )}{' '}
            <Text span size="sm" c="dimmed">
              of {asset?.name ?? asset_id}
            </Text>
          </List.Item>
        );
      })}
    </List>
  );
}
