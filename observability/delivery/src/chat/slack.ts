// SPDX-License-Identifier: Apache-2.0
/** Messages to Slack through an incoming webhook, https://api.slack.com/messaging/webhooks. */
import { isFinalRefusal, postJson, type Wire } from '../exchange.ts';
import { DeliveryFailure } from '../failure.ts';
import { alertLines, facts, headline, type IncidentMessage, relatedLines, shortened, whyLines } from '../message.ts';

/** Of https://api.slack.com/reference/block-kit/blocks: a header, a section's text, a field, the fields of a section. */
const HEADER_LENGTH_MAX = 150;
const SECTION_LENGTH_MAX = 3000;
const FIELD_LENGTH_MAX = 2000;
const FIELDS_MAX = 10;

/** @throws DeliveryFailure */
export async function sendSlack(wire: Wire, { url, message }: { readonly url: string; readonly message: IncidentMessage }): Promise<void> {
  if (!/^https?:/.test(url)) {
    throw new DeliveryFailure(
      `${url} is the name of a channel, which requires a bot; give the address of an incoming webhook of that channel instead`,
      { isPermanent: true },
    );
  }
  const body = JSON.stringify(slackMessage(message));
  await postJson(wire, { url, body, receiver: 'Slack', isFinal: isFinalRefusal, explains: true });
}

export function slackMessage(message: IncidentMessage) {
  const title = headline(message);
  const fields = facts(message).map(([name, value]) => mrkdwn(shortened(`*${escaped(name)}*\n${escaped(value)}`, FIELD_LENGTH_MAX)));
  const { description } = message.incident;
  const lines = [
    ...(description === '' ? [] : [description]),
    ...[...alertLines(message), ...whyLines(message), ...relatedLines(message)].map((line) => `• ${line}`),
  ];
  return {
    // What notifications and old clients show.
    text: escaped(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(title, HEADER_LENGTH_MAX) } },
      { type: 'section', fields: fields.slice(0, FIELDS_MAX) },
      ...(lines.length === 0 ? [] : [section(lines.map(escaped).join('\n'))]),
      ...(message.link === null ? [] : [section(`<${message.link}|Open the incident>`)]),
    ],
  };
}

function section(text: string) {
  return { type: 'section', text: mrkdwn(shortened(text, SECTION_LENGTH_MAX)) };
}

function mrkdwn(text: string) {
  return { type: 'mrkdwn', text };
}

/** The three characters that begin Slack's own notation, https://api.slack.com/reference/surfaces/formatting#escaping. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
