// SPDX-License-Identifier: Apache-2.0
import { Button, Paper, Text, Timeline } from '@mantine/core';
import type { IncidentActivity } from '@sextant/sdk';
import {
  IconAlertTriangle,
  IconCheck,
  IconFlag,
  IconMessage,
  IconPointOff,
  IconRepeat,
  IconRotateClockwise,
  IconTicket,
  IconUser,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Dimmed } from '../../ui/dimmed.tsx';
import { countText } from '../../ui/figures.ts';
import { Moment } from '../../ui/time.tsx';
import { Finding } from '../../widgets/finding.tsx';
import { handlingText } from './handling-words.ts';
import { type TimelineItem, timelineOf } from './timeline.ts';

const SHOWN = 20;
const STEPS = {
  NEW: { says: 'Opened', icon: IconAlertTriangle, colour: 'red' },
  REOPENED: { says: 'Opened again', icon: IconRepeat, colour: 'red' },
  RESOLVED: { says: 'Closed', icon: IconCheck, colour: 'teal' },
} as const;

/** What happened, who did it and when. */
export function IncidentTimeline({ activity }: { readonly activity: IncidentActivity }) {
  const [isWhole, setWhole] = useState(false);
  const items = timelineOf(activity);
  return (
    <>
      <Timeline bulletSize={20} lineWidth={2} active={items.length}>
        {(isWhole ? items : items.slice(0, SHOWN)).map((item) => {
          const { icon: Icon, colour, says, more } = shownOf(item);
          return (
            <Timeline.Item key={item.key} bullet={<Icon size={12} />} color={colour} title={<Text size="sm">{says}</Text>}>
              {more}
              <Dimmed size="xs">
                <Moment at={item.at} />
                {byWhom(item)}
              </Dimmed>
            </Timeline.Item>
          );
        })}
      </Timeline>
      {!isWhole && items.length > SHOWN && (
        <Button variant="subtle" mt="xs" onClick={() => setWhole(true)}>
          Show all {countText(items.length)}
        </Button>
      )}
    </>
  );
}

function byWhom(item: TimelineItem): string {
  if (item.kind === 'again') return '';
  return item.actor === 'system' ? ' · by a scan' : ` · ${item.actor}`;
}

type Shown = {
  readonly icon: ComponentType<{ size: number }>;
  readonly colour: string;
  readonly says: ReactNode;
  readonly more?: ReactNode;
};

function shownOf(item: TimelineItem): Shown {
  switch (item.kind) {
    case 'step': {
      const { says, icon, colour } = STEPS[item.state];
      return { says: item.state === 'RESOLVED' && item.actor === 'system' ? 'Back in order' : says, icon, colour };
    }
    case 'again':
      return {
        icon: IconRotateClockwise,
        colour: 'orange',
        says: item.scans === 1 ? 'Found again' : `Found again by ${countText(item.scans)} scans`,
      };
    case 'comment':
      return { icon: IconMessage, colour: 'chart', says: 'Comment', more: <Said text={item.text} /> };
    case 'handled':
      return {
        icon: IconFlag,
        colour: 'gray',
        says: handlingText(item.state),
        ...(item.note !== null && { more: <Said text={item.note} /> }),
      };
    case 'assigned':
      return { icon: IconUser, colour: 'gray', says: item.to === null ? 'Unassigned' : `Assigned to ${item.to}` };
    case 'ticket':
      return { icon: IconTicket, colour: 'gray', says: item.isLinked ? `Ticket ${item.ticket}` : `Ticket ${item.ticket} detached` };
    case 'point':
      return {
        icon: IconPointOff,
        colour: 'gray',
        says: (
          <>
            A point was {item.isExcluded ? 'excluded from learning' : 'included again'}: <Finding text={item.what} />
          </>
        ),
        ...(item.comment !== null && { more: <Said text={item.comment} /> }),
      };
  }
}

function Said({ text }: { readonly text: string }) {
  return (
    <Paper withBorder p="xs" my={4}>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Paper>
  );
}
