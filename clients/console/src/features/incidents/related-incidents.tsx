// SPDX-License-Identifier: Apache-2.0
import { Box, Group, Stack } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { byAssetId, lineageOf } from '../../data/assets/lineage.ts';
import { assetList } from '../../data/assets/queries.ts';
import { incidentsNear } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';
import { IncidentStatusBadge } from '../../widgets/incident-badges.tsx';
import { relatedTo } from './related.ts';

/** Other incidents that may have the same cause, or be the cause, each with why. */
export function RelatedIncidents({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const assets = useQuery(assetList(observability)).data;
  const lineage = assets && lineageOf(incident.asset_id, byAssetId(assets));
  const assetIds = lineage && [incident.asset_id, ...lineage.upstream, ...lineage.downstream];
  const found = useQuery(incidentsNear(observability, incident, assetIds));
  if (found.isError) return <ErrorPanel error={found.error} doing="look for related incidents" onRetry={() => void found.refetch()} />;
  if (found.data === undefined || assets === undefined) return null;
  const related = relatedTo(incident, found.data, assets);
  return (
    <Section id="related" title="Related incidents">
      {related.length === 0 && (
        <Dimmed>There is no other incident of this asset, of assets in its lineage, or within two hours before and after this one.</Dimmed>
      )}
      <Stack gap="xs">
        {related.map(({ incident: each, why }) => (
          <Group key={each.id} gap="xs" wrap="nowrap" align="start">
            <Box w={60} style={{ flexShrink: 0 }}>
              <IncidentStatusBadge status={each.status} />
            </Box>
            <div style={{ minWidth: 0 }}>
              <TextLink to={`/incidents/${each.id}`} style={{ overflowWrap: 'anywhere' }}>
                {each.alert_policy_name}
              </TextLink>
              <Dimmed size="xs">
                {why} · <Moment at={each.created_time} />
              </Dimmed>
            </div>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
