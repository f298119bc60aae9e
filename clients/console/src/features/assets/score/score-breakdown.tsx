// SPDX-License-Identifier: Apache-2.0
import { Alert, Badge, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Asset } from '@sextant/sdk';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { monitorList } from '../../../data/monitors.ts';
import { currentScore, scoreColour } from '../../../data/scores.ts';
import { useServices } from '../../../data/services/services.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { Moment } from '../../../ui/time.tsx';
import { WHY_NONE } from '../../../widgets/health-badges.tsx';
import { partLosses } from './score-losses.ts';
import { ScorePart } from './score-part.tsx';

/** The score of an asset, down to the metrics, rules, incidents and rows that cost it points. */
export function ScoreBreakdown({ asset }: { readonly asset: Asset }) {
  const { observability } = useServices();
  const now = useQuery(currentScore(observability, asset.id));
  const monitors = useQuery(monitorList(observability, asset.id));
  if (now.isError) return <ErrorPanel error={now.error} doing="read the score" onRetry={() => void now.refetch()} />;
  if (now.data === undefined) return <Skeleton height={240} />;
  const { score, band, state, parts, cap, deduction, change, job_id: jobId, metric_time: measuredAt } = now.data;
  if (score === null) return <EmptyState title="No score">{WHY_NONE[state]}.</EmptyState>;
  return (
    <Stack gap="lg">
      <Group gap="md" align="baseline">
        <Text fz={32} fw={700} lh={1}>
          {score.toFixed(1)}
        </Text>
        <Badge variant="dot" color={scoreColour({ band })}>
          {band}
        </Badge>
        <Dimmed>
          {measuredAt !== null && (
            <>
              measured <Moment at={measuredAt} />
            </>
          )}
          {change !== null && `, ${signed(change.difference)} since the previous scan`}
        </Dimmed>
      </Group>
      {cap !== null && deduction > 0 && (
        <Alert
          color="red"
          icon={<IconAlertTriangle size={16} />}
          title={`Capped at ${cap.score.toFixed(1)}: ${deduction.toFixed(1)} points less`}
        >
          {cap.sentence}{' '}
          <TextLink to={`/incidents/${cap.incident_id}`} c="inherit" underline="always">
            Open the incident
          </TextLink>
        </Alert>
      )}
      {monitors.isError && <ErrorPanel error={monitors.error} doing="read the monitors" onRetry={() => void monitors.refetch()} />}
      {parts.map((part) => (
        <ScorePart key={part.dimension} losses={partLosses(part)} asset={asset} monitors={monitors.data ?? []} jobId={jobId} />
      ))}
    </Stack>
  );
}

function signed(difference: number): string {
  const text = Math.abs(difference).toFixed(1);
  return text === '0.0' ? 'unchanged' : `${difference > 0 ? '+' : '−'}${text}`;
}
