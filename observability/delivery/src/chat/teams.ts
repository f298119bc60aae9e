// SPDX-License-Identifier: Apache-2.0
/**
 * Messages to Teams as an Adaptive Card, through an incoming webhook or the trigger "When a Teams webhook request is received" of a
 * workflow, which takes the place of the connectors: https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
import { excerpt, isFinalRefusal, postJson, type Wire } from '../exchange.ts';
import { DeliveryFailure } from '../failure.ts';
import { alertLines, facts, headline, type IncidentMessage, relatedLines, shortened, whyLines } from '../message.ts';

/** A message may have 28 KB (the page above); a card of these lengths has less. */
const TEXT_LENGTH_MAX = 4000;
const FACT_LENGTH_MAX = 500;

/** @throws DeliveryFailure */
export async function sendTeams(wire: Wire, { url, message }: { readonly url: string; readonly message: IncidentMessage }): Promise<void> {
  const body = JSON.stringify(teamsMessage(message));
  const reply = await postJson(wire, { url, body, receiver: 'Teams', isFinal: isFinalRefusal, explains: true });
  // A connector answers 200 also when the channel behind it did not take the message, and says so in the body (same page).
  const words = excerpt(reply.body);
  if (/^Webhook message delivery failed/i.test(words)) throw new DeliveryFailure(`Teams answered: ${words}`);
}

export function teamsMessage(message: IncidentMessage) {
  const listed = [...alertLines(message), ...whyLines(message), ...relatedLines(message)].map((line) => `- ${line}`);
  const lines = [message.incident.description, ...listed].filter((line) => line !== '');
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: plain(headline(message)), size: 'Large', weight: 'Bolder', wrap: true },
      {
        type: 'FactSet',
        facts: facts(message).map(([title, value]) => ({ title, value: shortened(plain(value), FACT_LENGTH_MAX) })),
      },
      ...(lines.length === 0 ? [] : [{ type: 'TextBlock', text: shortened(lines.map(plain).join('\n\n'), TEXT_LENGTH_MAX), wrap: true }]),
    ],
    ...(message.link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open the incident', url: message.link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  };
}

/** A text block reads a part of Markdown; a link that a name spells out must not become one. */
function plain(text: string): string {
  return text.replaceAll(/[\\[\]*_`]/g, '\\$&');
}
