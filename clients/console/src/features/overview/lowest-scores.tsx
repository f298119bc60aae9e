// SPDX-License-Identifier: Apache-2.0
import { Box, Group, Progress, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import type { AssetScore, CurrentScore } from '@sextant/sdk';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { currentScore, scores } from '../../data/scores.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ScoreBadge } from '../../widgets/health-badges.tsx';

/** Each is a request. */
const WORST = 8;
const DIMENSIONS = ['completeness', 'accuracy', 'consistency', 'timeliness'] as const;

/** The data quality score of the assets that have the lowest, with what it is made of. */
export function LowestScores() {
  const { observability } = useServices();
  const scored = useQuery(scores(observability));
  const worst = (scored.data ?? [])
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0))
    .slice(0, WORST);
  const parts = useQueries({ queries: worst.map(({ asset_id: id }) => currentScore(observability, id)) });
  if (scored.isError) return <ErrorPanel error={scored.error} doing="read the scores" onRetry={() => void scored.refetch()} />;
  if (scored.isPending) return <Skeleton height={200} />;
  if (worst.length === 0) {
    return <Dimmed>No asset has a score yet. An asset gets a score with its first scan.</Dimmed>;
  }
  return (
    <DataTable
      minWidth={500}
      horizontalSpacing={6}
      headings={[
        'Asset',
        { label: 'Score', w: 110 },
        ...DIMENSIONS.map((dimension) => ({ label: dimension, tt: 'capitalize', fz: 'xs', fw: 500, w: 80 })),
      ]}
    >
      {worst.map((score, place) => (
        <ScoreRow key={score.asset_id} score={score} now={parts[place]?.data} />
      ))}
    </DataTable>
  );
}

function ScoreRow({ score, now }: { readonly score: AssetScore; readonly now: CurrentScore | undefined }) {
  return (
    <Table.Tr>
      <Table.Td style={{ minWidth: 90 }}>
        <TextLink to={`/assets/${score.project_id}/${score.asset_id}`}>{score.asset_name}</TextLink>
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Box style={{ flexShrink: 0 }}>
            <ScoreBadge score={score} />
          </Box>
          <Change difference={now?.change?.difference} />
        </Group>
      </Table.Td>
      {DIMENSIONS.map((dimension) => {
        const part = now?.parts.find((each) => each.dimension === dimension);
        return (
          <Table.Td key={dimension}>
            {part?.value == null ? (
              <Dimmed size="xs">–</Dimmed>
            ) : (
              <Tooltip label={`${part.measured_from.sentence} Weighs ${(100 * part.weight).toFixed(0)} %.`} multiline maw={320}>
                <div>
                  <Text size="xs">{part.value.toFixed(0)}</Text>
                  <Progress value={part.value} size={3} color="chart" aria-label={`${dimension} of ${score.asset_name}`} />
                </div>
              </Tooltip>
            )}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}

/** Since the scan before the last; what rounds to nothing is left out. */
function Change({ difference }: { readonly difference: number | undefined }) {
  if (difference === undefined || Math.abs(difference) < 0.5) return null;
  const isBetter = difference > 0;
  const Arrow = isBetter ? IconArrowUp : IconArrowDown;
  return (
    <Tooltip label={`${isBetter ? 'Better' : 'Worse'} by ${Math.abs(difference).toFixed(1)} than in the previous scan`}>
      <Group gap={2} wrap="nowrap">
        <Arrow size={12} color={`var(--mantine-color-${isBetter ? 'teal' : 'red'}-6)`} aria-hidden="true" />
        <Dimmed span size="xs">
          {Math.abs(difference).toFixed(0)}
        </Dimmed>
      </Group>
    </Tooltip>
  );
}
