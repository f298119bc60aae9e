// SPDX-License-Identifier: Apache-2.0
import { Badge, Text } from '@mantine/core';
import type { AssetScore } from '@sextant/sdk';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OpenIncidents } from '../data/assets/asset-rows.ts';
import { scoreColour } from '../data/scores.ts';

export const WHY_NONE: { readonly [state in AssetScore['state']]: string } = {
  scored: '',
  disabled: 'The score is switched off for this asset',
  not_scanned: 'No scan has ended yet',
  not_measured: 'The last scan measured neither completeness nor accuracy',
};

type ScoreBadgeProps = { readonly score: AssetScore | undefined; readonly tabIndex?: number };

/** The data quality score, 0 to 100, which leads to what it is made of. The browser's own hints, as lists draw hundreds of rows while they are scrolled. */
export function ScoreBadge({ score, tabIndex }: ScoreBadgeProps) {
  if (score === undefined) return null;
  if (score.score === null) {
    return (
      <Text size="sm" c="dimmed" component="span" title={WHY_NONE[score.state]}>
        –
      </Text>
    );
  }
  return (
    <Badge
      variant="dot"
      color={scoreColour(score)}
      style={{ cursor: 'pointer' }}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/assets/$projectId/$assetId"
          params={{ projectId: String(score.project_id), assetId: score.asset_id }}
          search={{ tab: 'score' }}
          tabIndex={tabIndex}
          title={`Data quality score: ${score.score?.toFixed(1)}, ${score.band ?? ''}`}
          aria-label={`Data quality score: ${score.score?.toFixed(0)}, ${score.band ?? ''}`}
        />
      )}
    >
      {score.score.toFixed(0)}
    </Badge>
  );
}

/** How many incidents are open, in the colour of the worst severity or impact among them. */
export function OpenIncidentsBadge({ open }: { readonly open: OpenIncidents }) {
  if (open.total === 0) return null;
  return (
    <Badge
      variant="light"
      color={worstColour(open)}
      leftSection={<IconAlertTriangle size={12} />}
      title={openText(open)}
      aria-label={openText(open)}
    >
      {open.total}
    </Badge>
  );
}

export function worstColour({ high, medium, low }: OpenIncidents): string {
  if (high > 0) return 'red';
  if (medium > 0) return 'orange';
  return low > 0 ? 'yellow' : 'gray';
}

export function openText({ high, medium, low, unrated, total }: OpenIncidents): string {
  const parts = [
    [high, 'high'],
    [medium, 'medium'],
    [low, 'low'],
    [unrated, 'not rated'],
  ] as const;
  const counted = parts.filter(([count]) => count > 0).map(([count, impact]) => `${count} ${impact}`);
  return `${total} open ${total === 1 ? 'incident' : 'incidents'}: ${counted.join(', ')}`;
}
