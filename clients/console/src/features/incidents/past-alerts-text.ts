// SPDX-License-Identifier: Apache-2.0
import type { BackfillResult } from '@sextant/sdk';
import { countText } from '../../ui/figures.ts';

/** What became of the alerts that belonged to no incident. */
export function pastAlertsText({ alerts, incidents_created: created, incidents_continued: continued }: BackfillResult): string {
  if (alerts === 0) return 'Every alert of the last 30 days already belongs to an incident.';
  const became = [
    ...(created > 0 ? [counted(created, 'new incident')] : []),
    ...(continued > 0 ? [`${counted(continued, 'incident')} that already existed`] : []),
  ];
  return `${counted(alerts, 'alert')} now ${alerts === 1 ? 'belongs' : 'belong'} to ${became.join(' and ')}.`;
}

function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
