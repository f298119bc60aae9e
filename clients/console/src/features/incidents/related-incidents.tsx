import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assetList } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { IncidentStatusBadge } from '../../widgets/incident-badges.tsx';
import { lineageOf, NEAR_MS, relatedTo } from './related.ts';

/** Of each kind; those that are shown are chosen among them. */
const ASKED = 100;

/** Other incidents that may have the same cause, or be the cause, each with why. */
export function RelatedIncidents({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const assets = useQuery(assetList(observability)).data;
  const found = useQuery({
    queryKey: ['observability', 'incidents', 'related', incident.id, incident.created_time],
    queryFn: async ({ signal }) => {
      const { upstream, downstream } = lineageOf(incident.asset_id, assets ?? []);
      const beganMs = Date.parse(incident.created_time);
      const near = {
        from_time: new Date(beganMs - NEAR_MS).toISOString(),
        to_time: new Date(beganMs + NEAR_MS).toISOString(),
      };
      const linked = { asset_ids: [incident.asset_id, ...upstream, ...downstream].slice(0, ASKED).join(',') };
      const lists = await Promise.all([linked, near].map((query) => observability.listIncidents({ ...query, limit: ASKED }, { signal })));
      return relatedTo(incident, lists.flat(), assets ?? []);
    },
    enabled: assets !== undefined,
  });
  if (found.isError) return <ErrorPanel error={found.error} doing="look for related incidents" onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  return (
    <Section id="related" title="Related incidents">
      {found.data.length === 0 && (
        <Text size="sm" c="dimmed">
          No other incident of this asset, of assets along its lineage, or of the two hours before and after.
        </Text>
      )}
      <Stack gap="xs">
        {found.data.map(({ incident: each, why }) => (
          <Group key={each.id} gap="xs" wrap="nowrap" align="start">
            <Box w={60} style={{ flexShrink: 0 }}>
              <IncidentStatusBadge status={each.status} />
            </Box>
            <div style={{ minWidth: 0 }}>
              <Anchor component={Link} to={`/incidents/${each.id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {each.alert_policy_name}
              </Anchor>
              <Text size="xs" c="dimmed">
                {why} · <Moment at={each.created_time} />
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
