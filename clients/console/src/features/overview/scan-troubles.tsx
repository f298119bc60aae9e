// SPDX-License-Identifier: Apache-2.0
import { Badge, Group, Stack } from '@mantine/core';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { durationText } from '../../ui/time.tsx';

const SHOWN = 8;

type ScanTroublesProps = { readonly rows: readonly AssetRow[]; readonly nowMs: number };

/** Assets of which nothing new is known: their last scan failed or could not be judged, did not come, or there never was one. */
export function ScanTroubles({ rows, nowMs }: ScanTroublesProps) {
  const troubled = rows.flatMap((row) => {
    const trouble = troubleOf(row, nowMs);
    return trouble === undefined ? [] : [{ row, trouble }];
  });
  if (troubled.length === 0) {
    return <Dimmed>The last scan of every asset succeeded, and no scan is overdue.</Dimmed>;
  }
  return (
    <Stack gap="xs">
      {troubled.slice(0, SHOWN).map(({ row: { asset }, trouble }) => (
        <Group key={asset.id} gap="xs" wrap="nowrap" align="start">
          <Badge variant="dot" color={trouble.colour} style={{ flexShrink: 0 }}>
            {trouble.says}
          </Badge>
          <div style={{ minWidth: 0 }}>
            <TextLink to={`/assets/${asset.project_id}/${asset.id}`}>{asset.name}</TextLink>
            <Dimmed size="xs" lineClamp={2}>
              {trouble.why}
            </Dimmed>
          </div>
        </Group>
      ))}
      {troubled.length > SHOWN && <TextLink to="/assets">Show all {troubled.length} in the list of assets</TextLink>}
    </Stack>
  );
}

type Trouble = { readonly says: string; readonly colour: string; readonly why: string };

function troubleOf({ job, isOverdue, isLate, measuredMs }: AssetRow, nowMs: number): Trouble | undefined {
  const last = measuredMs === null ? 'never measured' : `last measured ${durationText(nowMs - measuredMs)} ago`;
  if (job?.status === 'FAILED') return { says: 'failed', colour: 'red', why: `${job.details} (${last})` };
  const errored = job?.checks?.errored ?? 0;
  if (errored > 0) {
    const monitors = errored === 1 ? '1 monitor' : `${errored} monitors`;
    return { says: 'errored', colour: 'red', why: `${monitors} could not be evaluated; ${last}.` };
  }
  if (isOverdue) return { says: 'overdue', colour: 'orange', why: `A scheduled scan did not run; ${last}.` };
  if (isLate) return { says: 'stale', colour: 'orange', why: `Its data are older than usual; ${last}.` };
  if (job === undefined && measuredMs === null) return { says: 'no scan', colour: 'gray', why: 'The asset has never been scanned.' };
  return undefined;
}
