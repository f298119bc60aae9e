// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireFollowable } from '../operations/asset-options.ts';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

test('rows without vectors have no text of vectors', async () => {
  const upload = await service.call('POST', '/default/uploads?name=rows.csv', 'a,b\n1,x\n', { ...admin, 'content-type': 'text/csv' });
  const { payload } = upload.body as { payload: object };
  const body = { name: 'rows', type: 'UPLOAD', payload, options: { text_members: { '': 'b' } } };
  expect(await service.call('POST', '/api/backend/default/configuration/projects/0/assets', body, admin)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('options.text_members: only vectors are made from texts; leave it out') },
  });
});

test.each([
  ['bodi', 'bodi is no payload member; did you mean body?'],
  ['year', 'year holds no text; it is of type INTEGER'],
])('the text of vectors cannot be %s', (member, reason) => {
  const columns = [
    { name: 'body', data_type: 'STRING' },
    { name: 'year', data_type: 'INTEGER' },
  ] as const;
  const follow = (text: string) =>
    requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { text_members: { title: text } } }, columns);
  expect(() => follow(member)).toThrow(`options.text_members.title: ${reason}`);
  expect(() => follow('body')).not.toThrow();
});
