// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { openPeer, type Peer } from '../testing/wire.ts';
import { sendSlack, slackMessage } from './slack.ts';
import { sendTeams, teamsMessage } from './teams.ts';

let peer: Peer;
beforeAll(async () => {
  peer = await openPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());
beforeEach(() => {
  peer.requests.length = 0;
});

async function failureOf(sending: Promise<void>): Promise<unknown> {
  try {
    await sending;
  } catch (failure) {
    return failure;
  }
  throw new Error('it was sent');
}

describe('Slack', () => {
  test('gets a message of blocks, and what names say stays text', async () => {
    peer.answer = () => ({ status: 200, body: 'ok' });
    await sendSlack(peer.wire, { url: `${peer.url}/services/T/B/x`, message: messageOf() });
    const [{ body, path } = { body: undefined, path: '' }] = peer.requests;
    expect(path).toBe('/services/T/B/x');
    expect(body).toMatchObject({
      text: expect.stringContaining('[HIGH] New incident 12: Filled on Orders'),
      blocks: [
        { type: 'header', text: { type: 'plain_text' } },
        { type: 'section', fields: expect.arrayContaining([{ type: 'mrkdwn', text: '*Impact*\nLOW' }]) },
        { type: 'section', text: { type: 'mrkdwn', text: expect.stringContaining('• HIGH price: price is filled to 80 %\n• and 2 more') } },
        { type: 'section', text: { text: '<https://sextant.example/console/#/incidents/12|Open the incident>' } },
      ],
    });
    // In plain text, as the header is, the notation means nothing.
    const notation = JSON.stringify(body).replace(/"type":"plain_text","text":"[^"]*"/, '');
    expect(notation).not.toContain('<https://evil');
    expect(notation).toContain('&lt;https://evil');
  });

  test('gets no more than it takes', () => {
    const { incident, asset, alerts } = messageOf();
    const long = 'x'.repeat(5000);
    const message = slackMessage(
      messageOf({
        incident: { ...incident, description: long, tags: [long] },
        asset: { ...asset, name: long },
        alerts: Array.from({ length: 20 }, () => ({ ...alerts[0], description: { HIGH: [long] } })) as never,
      }),
    );
    const texts = message.blocks.flatMap((block) => ('text' in block ? [block.text.text] : block.fields.map(({ text }) => text)));
    expect(Math.max(...texts.map((text) => text.length))).toBe(3000);
    expect(message.blocks[0]).toMatchObject({ text: { text: expect.stringMatching(/^.{149}…$/) } });
  });

  test.each([
    [400, 'invalid_payload', true],
    [403, 'action_prohibited', true],
    [404, 'channel_not_found', true],
    [410, 'channel_is_archived', true],
    [429, 'rate_limited', false],
    [500, 'rollup_error', false],
  ])('its %i is reported in its words, and is permanent: %s %s', async (status, words, isPermanent) => {
    peer.answer = () => ({ status, body: words, headers: status === 429 ? { 'retry-after': '30' } : {} });
    const failure = await failureOf(sendSlack(peer.wire, { url: peer.url, message: messageOf() }));
    const retryAfterMs = status === 429 ? 30_000 : undefined;
    expect(failure).toMatchObject({ name: 'DeliveryFailure', message: `Slack answered ${status}: ${words}`, isPermanent, retryAfterMs });
  });

  test('the name of a channel is refused with a sentence that says what to give instead', async () => {
    const failure = await failureOf(sendSlack(peer.wire, { url: '#ops', message: messageOf() }));
    expect(failure).toMatchObject({ isPermanent: true, message: expect.stringContaining('incoming webhook') });
    expect(peer.requests).toEqual([]);
  });
});

describe('Teams', () => {
  test('gets an adaptive card, and what names say stays text', async () => {
    peer.answer = () => ({ status: 202 });
    await sendTeams(peer.wire, { url: peer.url, message: messageOf() });
    const body = peer.requests[0]?.body;
    expect(body).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: expect.stringContaining('HIGH') },
              { type: 'FactSet', facts: expect.arrayContaining([{ title: 'Impact', value: 'LOW' }]) },
              { type: 'TextBlock', text: expect.stringContaining('and 2 more') },
            ],
            actions: [{ type: 'Action.OpenUrl', url: 'https://sextant.example/console/#/incidents/12' }],
          },
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('[stays](');
  });

  test('gets less than 28 KB of a long message', () => {
    const { incident, asset, policy } = messageOf();
    const long = 'x'.repeat(20_000);
    const card = teamsMessage(
      messageOf({
        incident: { ...incident, description: long, tags: [long] },
        asset: { ...asset, name: long },
        policy: { ...policy, name: long },
      }),
    );
    expect(JSON.stringify(card).length).toBeLessThan(28_000);
  });

  test('a 200 that says that the channel did not take it is a failure to try again', async () => {
    peer.answer = () => ({
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
    });
    expect(await failureOf(sendTeams(peer.wire, { url: peer.url, message: messageOf() }))).toMatchObject({
      isPermanent: false,
      message: expect.stringContaining('429'),
    });
  });
});
