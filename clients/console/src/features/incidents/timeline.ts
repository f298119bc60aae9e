// SPDX-License-Identifier: Apache-2.0
/** All that happened to an incident, from the parts in which the service tells it. */
import type { AuditEntry, IncidentActivity } from '@sextant/sdk';

type Step = IncidentActivity['steps'][number];

type Happening =
  | { readonly kind: 'step'; readonly state: Exclude<Step['state'], 'ONGOING'>; readonly actor: string }
  /** Scans that found it again, with nothing between them. */
  | { readonly kind: 'again'; readonly scans: number; readonly since: string }
  | { readonly kind: 'comment'; readonly actor: string; readonly text: string }
  | { readonly kind: 'handled'; readonly actor: string; readonly state: string | null; readonly note: string | null }
  | { readonly kind: 'assigned'; readonly actor: string; readonly to: string | null }
  | { readonly kind: 'ticket'; readonly actor: string; readonly isLinked: boolean; readonly ticket: string }
  | {
      readonly kind: 'point';
      readonly actor: string;
      readonly isExcluded: boolean;
      readonly what: string;
      readonly comment: string | null;
    };

export type TimelineItem = Happening & { readonly key: string; readonly at: string };

/** Newest first. What the audit trail tells of states and comments is among the steps and comments already. */
export function timelineOf({ steps, comments, audit }: IncidentActivity): readonly TimelineItem[] {
  const items: TimelineItem[] = [
    ...steps.map((step, place): TimelineItem => ({ ...stepItem(step), key: `step ${place}`, at: step.timestamp })),
    ...comments.map(({ id, author, created_time, text }): TimelineItem => {
      return { kind: 'comment', key: `comment ${id}`, at: created_time, actor: author, text };
    }),
    ...audit.flatMap((entry): readonly TimelineItem[] => {
      const happening = auditItem(entry);
      return happening === undefined ? [] : [{ ...happening, key: `audit ${entry.id}`, at: entry.timestamp }];
    }),
  ];
  // The sort is stable, so what is of one time stays in its order.
  return joined(items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))).toReversed();
}

function stepItem({ state, actor, timestamp }: Step): Happening {
  return state === 'ONGOING' ? { kind: 'again', scans: 1, since: timestamp } : { kind: 'step', state, actor };
}

function auditItem({ action, actor, details }: AuditEntry): Happening | undefined {
  switch (action) {
    case 'ASSIGNED':
      return { kind: 'assigned', actor, to: textOf(details.to) };
    case 'HANDLED':
      return { kind: 'handled', actor, state: textOf(details.state), note: textOf(details.note) };
    case 'TICKET_LINKED':
    case 'TICKET_UNLINKED':
      return { kind: 'ticket', actor, isLinked: action === 'TICKET_LINKED', ticket: textOf(details.key) ?? '' };
    case 'EXCLUDED':
    case 'INCLUDED': {
      const metric = (textOf(details.metric_name) ?? '').toLowerCase().replaceAll('_', ' ');
      const attribute = textOf(details.attribute);
      const what = attribute === null ? metric : `${metric} of \`${attribute}\``;
      return { kind: 'point', actor, isExcluded: action === 'EXCLUDED', what, comment: textOf(details.comment) };
    }
    default:
      return undefined;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Oldest first: scans that found it again become one where nothing else happened between them. */
function joined(items: readonly TimelineItem[]): readonly TimelineItem[] {
  const result: TimelineItem[] = [];
  for (const item of items) {
    const last = result.at(-1);
    if (item.kind === 'again' && last?.kind === 'again') result[result.length - 1] = { ...last, scans: last.scans + 1, at: item.at };
    else result.push(item);
  }
  return result;
}
