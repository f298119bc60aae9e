// SPDX-License-Identifier: Apache-2.0
/** Which addresses need not hear of the effects of a cause: they heard of the cause before, in a message of its own. */
import type { IncidentDetail } from '@sextant/contracts-observability';
import type { IncidentEventName } from '@sextant/observability-delivery';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { type IncidentEvent, rankOfSeverity, rootOf } from './incident-event.ts';
import type { NotificationPayload } from './payloads.ts';

export type HeardBefore = (channelName: string, address: string) => boolean;

type Message = { readonly channel: string | null } & Pick<NotificationPayload, 'address' | 'message' | 'step'>;

/**
 * The beginning of an effect is no news where the message about its open cause was as severe, and its end is none where its beginning was not announced.
 * What is still open or became more severe is always announced. Messages that were deleted from the log count as if they had not been heard.
 */
export async function heardBefore(
  tenant: TenantMetadata,
  name: IncidentEventName,
  events: readonly [IncidentEvent, ...IncidentEvent[]],
): Promise<HeardBefore> {
  const rootId = rootOf(events[0]);
  const isOfEffects = events.every(({ incident }) => incident.id !== rootId);
  if (!isOfEffects || (name !== 'opened' && name !== 'reopened' && name !== 'resolved')) return () => false;
  const group = await tenant.incidentStories.related(events[0].incident.id);
  if (!group.some(({ incident_id }) => incident_id === rootId)) return () => false;
  const root = await tenant.incidents.get(rootId);
  if (name !== 'resolved' && root.status !== 'OPEN') return () => false;
  const sent = await tenant.deliveries.findNotifications(group.map(({ incident_id }) => incident_id));
  const messages = sent.map(({ channel, payload }): Message => {
    // `notifyOfGroup` wrote it.
    return { channel, ...(payload as NotificationPayload) };
  });
  const severest = Math.max(...events.map(({ incident }) => rankOfSeverity(incident.severity)));
  return (channelName, address) => {
    const heard = messages.filter((each) => each.channel === channelName && each.address === address);
    const ofRoot = heard.filter((each) => isAbout(each, root));
    if (name === 'resolved') return ofRoot.length > 0 && !events.some(({ incident }) => heard.some((each) => isAbout(each, incident)));
    return ofRoot.some(({ message }) => rankOfSeverity(message.incident.severity) >= severest);
  };
}

/** Whether a message is about an incident, as it has been since it last began. */
function isAbout({ message, step }: Message, { id, history }: Pick<IncidentDetail, 'id' | 'history'>): boolean {
  const began = history.findLast(({ state }) => state === 'NEW' || state === 'REOPENED')?.timestamp ?? '';
  if (message.occurred_at < began) return false;
  const isCause = message.related?.some(({ incident_id, role }) => incident_id === id && role === 'CAUSE') === true;
  return message.incident.id === id || isCause || step.incident_ids?.includes(id) === true;
}
