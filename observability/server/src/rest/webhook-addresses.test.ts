// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const SECRET = 'T000-secret';
const HOOK = `https://hooks.example.com/services/${SECRET}?token=${SECRET}`;
const CONFIGURATION = '/api/backend/default/configuration';

let service: TestService;

beforeAll(async () => {
  service = await testService();
});
afterAll(() => service[Symbol.asyncDispose]());

test('viewers and operators read to which host a webhook leads, editors its whole address', async () => {
  const admin = await service.login();
  const write = async (path: string, body: object) => {
    const reply = await service.call('POST', `${CONFIGURATION}${path}`, body, admin);
    expect(reply.status).toBe(200);
    return reply.body as { id: string };
  };
  const { id } = await write('/projects/0/assets', { name: 'orders', type: 'UPLOAD', payload: {}, webhook_url: HOOK });
  for (const [name, type, addresses] of [
    ['hooks', 'WEBHOOK', [HOOK]],
    ['chat', 'SLACK', ['#data', HOOK]],
    ['mail', 'EMAIL', ['ops@example.com']],
  ] as const)
    await write('/alert_channels', { name, type, addresses });
  const paths = [
    '/assets',
    '/projects/0/assets',
    `/projects/0/assets/${id}`,
    '/alert_channels',
    '/alert_channels/hooks',
    '/alert_channels/chat',
  ];
  const read = async (role: 'viewer' | 'operator' | 'editor') => {
    const headers = await service.loginAs(role);
    return Promise.all(paths.map(async (path) => (await service.call('GET', `${CONFIGURATION}${path}`, undefined, headers)).text));
  };
  for (const role of ['viewer', 'operator'] as const) {
    const texts = await read(role);
    for (const text of texts) {
      expect(text).not.toContain(SECRET);
      expect(text).toContain('https://hooks.example.com/…');
    }
    expect(texts[3]).toContain('ops@example.com');
    expect(texts[5]).toContain('#data');
  }
  for (const text of await read('editor')) expect(text).toContain(HOOK);
});
