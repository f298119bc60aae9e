// SPDX-License-Identifier: Apache-2.0
import { Skeleton, Text } from '@mantine/core';
import type { Incident } from '@sextant/sdk';
import { memo } from 'react';
import { Dimmed } from '../../ui/dimmed.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';
import { Finding } from '../../widgets/finding.tsx';
import { IncidentStatusBadge, LevelBadge } from '../../widgets/incident-badges.tsx';
import classes from './incident-list.module.css';

/** What stands in the columns of the rows, for those who see them. */
export function IncidentHeader() {
  return (
    <div className={`${classes.columns} ${classes.header}`} aria-hidden="true">
      <span>Status</span>
      <span className={classes.wide}>Impact</span>
      <span className={classes.wide}>Severity</span>
      <span>Monitor and finding</span>
      <span className={classes.wide}>Asset</span>
      <span className={`${classes.wide} ${classes.end}`}>Opened</span>
      <span className={classes.narrow}>Severity</span>
    </div>
  );
}

type IncidentRowProps = {
  /** Undefined while it is on its way. */
  readonly incident: Incident | undefined;
  readonly assetName: string | undefined;
};

/** Scrolling renders the list again at every step; rows that stay as they are cost nothing. */
export const IncidentRow = memo(function IncidentRow({ incident, assetName }: IncidentRowProps) {
  if (incident === undefined) return <Skeleton height={12} style={{ gridColumn: '1 / -1' }} />;
  return (
    <>
      <span>
        <IncidentStatusBadge status={incident.status} kind={incident.kind} />
      </span>
      <span className={classes.wide}>
        <LevelBadge level={incident.impact} />
      </span>
      <span className={classes.wide}>
        <LevelBadge level={incident.severity} />
      </span>
      <div style={{ minWidth: 0 }}>
        <TextLink to={`/incidents/${incident.id}`} fw={500} truncate display="block" className={classes.link}>
          {incident.alert_policy_name}
        </TextLink>
        <Dimmed size="xs" truncate>
          <Finding text={incident.description} />
        </Dimmed>
      </div>
      <Text size="sm" truncate className={classes.wide}>
        {assetName ?? incident.asset_id}
      </Text>
      <Dimmed size="xs" className={`${classes.wide} ${classes.end}`}>
        <Moment at={incident.created_time} />
      </Dimmed>
      <span className={classes.narrow}>
        <LevelBadge level={incident.severity} />
      </span>
    </>
  );
});
