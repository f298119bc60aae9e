/** "Ticket templates" of the specification, with the delete that goes with them. */
import { afterAll, describe, expect, test } from 'vitest';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused, bodyOf } from './wire.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, anonymous } = service;

const props = {
  tracker_project_id: '10000',
  tracker_issue_type_id: '10001',
  custom_fields: { summary: 'Look', customfield_10014: 'EPIC-1' },
};

describe.each(['/default', '/api/backend/default'])('below %s', (base) => {
  const path = `${base}/configuration/integrations/tickets/template`;

  test('templates are created, replaced, read, listed newest first and deleted', async () => {
    const first = { name: `first ${base}`, description: 'about quality', type: 'TRACKER', props };
    const created = await admin.post(path, first);
    expect(created).toMatchObject({ status: 200, body: { id: expect.any(Number), ...first } });
    const { id } = bodyOf<{ readonly id: number }>(created);
    const second = await admin.post(path, { name: `second ${base}`, type: 'TRACKER', props: { ...props, custom_fields: {} } });
    expect(second).toMatchObject({ status: 200, body: { description: null } });
    const { id: secondId } = bodyOf<{ readonly id: number }>(second);

    const changed = { name: `renamed ${base}`, type: 'TRACKER', props: { ...props, tracker_project_id: '20000' } };
    expect(await admin.put(`${path}/${id}`, changed)).toMatchObject({ status: 200, body: { id, ...changed, description: null } });
    expect((await admin.get(`${path}/${id}`)).body).toEqual({ id, ...changed, description: null });
    expect((await admin.get(path)).body).toMatchObject([{ id: secondId }, { id }]);

    for (const each of [id, secondId]) {
      expect(await admin.delete(`${path}/${each}`)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
      assertRefused(await admin.get(`${path}/${each}`), 404, new RegExp(String(each)));
    }
    expect((await admin.get(path)).body).toEqual([]);
  });

  test('a name is given once', async () => {
    const body = { name: `taken ${base}`, type: 'TRACKER', props };
    const { id } = bodyOf<{ readonly id: number }>(await admin.post(path, body));
    assertRefused(await admin.post(path, body), 409, /taken/);
    const other = bodyOf<{ readonly id: number }>(await admin.post(path, { ...body, name: `other ${base}` }));
    assertRefused(await admin.put(`${path}/${other.id}`, body), 409, /taken/);
    expect((await admin.put(`${path}/${id}`, body)).status).toBe(200);
    for (const each of [id, other.id]) await admin.delete(`${path}/${each}`);
  });

  test.each([
    ['no name', { type: 'TRACKER', props }, /name/],
    ['another type', { name: 'a', type: 'OTHER', props }, /type/],
    ['no project', { name: 'a', type: 'TRACKER', props: { ...props, tracker_project_id: undefined } }, /props.*tracker_project_id/],
    [
      'an issue type that is a number',
      { name: 'a', type: 'TRACKER', props: { ...props, tracker_issue_type_id: 7 } },
      /props\.tracker_issue_type_id/,
    ],
    ['fields that are no object', { name: 'a', type: 'TRACKER', props: { ...props, custom_fields: [] } }, /props\.custom_fields/],
    ['an unknown member', { name: 'a', type: 'TRACKER', props, priority: 1 }, /priority/],
  ])('refuses %s and names the member', async (_, body, sentence) => {
    assertRefused(await admin.post(path, body), 400, sentence);
  });

  test('unknown ids are 404, missing credentials 401', async () => {
    assertRefused(await admin.get(`${path}/4711`), 404, /4711/);
    assertRefused(await admin.put(`${path}/4711`, { name: 'a', type: 'TRACKER', props }), 404, /4711/);
    assertRefused(await admin.delete(`${path}/4711`), 404, /4711/);
    assertRefused(await anonymous.get(path), 401, /credential/);
  });
});
