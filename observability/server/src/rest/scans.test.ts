// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const CSV = 'id,name,amount\n1,Ada,10.5\n2,Bob,\n3,,7\n4,Dan,3\n';

type Uploaded = { readonly id: string; readonly bytes: number; readonly payload: { readonly upload_id: string } };

async function uploadedAsset(name: string, text: string | Uint8Array = CSV, idAttribute = 'id'): Promise<string> {
  const upload = await service.call('POST', `/default/uploads?name=${name}`, text, { ...admin, 'content-type': 'text/csv' });
  expect(upload).toMatchObject({ status: 200, body: { name, bytes: Buffer.byteLength(text) } });
  const { payload } = upload.body as Uploaded;
  const body = { name, type: 'UPLOAD', payload, options: { id_attributes: [idAttribute] } };
  const asset = await service.call('POST', '/api/backend/default/configuration/projects/0/assets', body, admin);
  expect(asset).toMatchObject({ status: 200 });
  return (asset.body as { id: string }).id;
}

test('an upload without a body is refused', async () => {
  const reply = await service.call('POST', '/default/uploads?name=people.csv', undefined, admin);
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({ message: 'body: the bytes of the file are missing', description: 'Bad Request' });
});

describe('an uploaded file', () => {
  test('becomes an asset with its attributes and pre-built monitors', async () => {
    const id = await uploadedAsset('people.csv');
    const asset = await service.call('GET', `/api/backend/default/configuration/projects/0/assets/${id}`, undefined, admin);
    const { attributes } = asset.body as { attributes: { name: string; monitored: boolean }[] };
    expect(attributes.map(({ name }) => name)).toEqual(['id', 'name', 'amount']);
    const monitors = await service.call('GET', `/default/configuration/assets/${id}/monitors`, undefined, admin);
    const ids = (monitors.body as { id: string }[]).map((monitor) => monitor.id);
    expect(ids).toContain('RECORD_COUNT_DRIFTS');
  });

  test('is scanned, and its metrics are read', async () => {
    const id = await uploadedAsset('scan.csv');
    await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
    const started = await service.call('POST', `/api/data/default/assets/${id}/batch_data`, undefined, admin);
    expect(started).toMatchObject({ status: 200, body: { job_id: expect.stringMatching(/^a[0-9a-f]{32}$/) } });
    const { job_id } = started.body as { job_id: string };
    expect(await service.untilEnded(job_id, admin)).toMatchObject({
      status: 'FINISHED',
      asset_id: id,
      progress: { phase: 'done', rows_read: 4, fraction: 1 },
    });
    const metrics = await service.call('GET', `/api/search/default/metrics?asset_id=${id}&metric_name=RECORD_COUNT`, undefined, admin);
    expect(metrics.body).toMatchObject([{ metric_name: 'RECORD_COUNT', value: 4, job_id }]);
    const ofWhole = `/default/metrics?asset_id=${id}&metric_name=COMPLETENESS&attribute=&segment=&monitor_id=`;
    const whole = await service.call('GET', ofWhole, undefined, admin);
    expect(whole.body).toMatchObject([{ metric_name: 'COMPLETENESS', attribute: null, segment: null, monitor_id: null }]);
  });
});

describe('jobs', () => {
  const start = async (id: string) => {
    const { body, status } = await service.call('POST', `/default/assets/${id}/batch_data`, undefined, admin);
    expect(status).toBe(200);
    return (body as { job_id: string }).job_id;
  };

  test('of an asset are listed newest first with how long they ran', async () => {
    const id = await uploadedAsset('listed.csv');
    const first = await start(id);
    await service.untilEnded(first, admin);
    const second = await start(id);
    await service.untilEnded(second, admin);
    const all = await service.call('GET', `/api/backend/default/sources/${id}/jobs`, undefined, admin);
    expect(all.body).toMatchObject([
      { id: second },
      { id: first, status: 'FINISHED', run_time: { negative: false, seconds: expect.any(Number) } },
    ]);
    const recent = await service.call('GET', `/api/backend/default/assets/${id}/jobs?most_recent=true`, undefined, admin);
    expect(recent.body).toMatchObject([{ id: second }]);
    const ofAll = await service.call('GET', '/api/backend/default/jobs?most_recent=true', undefined, admin);
    const listed = (ofAll.body as { id: string; asset_id: string }[]).filter(({ asset_id }) => asset_id === id);
    expect(listed).toMatchObject([{ id: second, status: 'FINISHED', run_time: { negative: false } }]);
  });

  test('one scan of an asset runs at a time, and the others wait for it', async () => {
    const id = await uploadedAsset('busy.csv');
    const jobs = await Promise.all([start(id), start(id), start(id)]);
    const ends = await Promise.all(jobs.map((job) => service.untilEnded(job, admin)));
    expect(ends.map(({ status }) => status)).toEqual(['FINISHED', 'FINISHED', 'FINISHED']);
    const spans = ends.toSorted((one, other) => (one.start_time ?? '').localeCompare(other.start_time ?? ''));
    for (const [index, { start_time }] of spans.entries()) expect((start_time ?? '') >= (spans[index - 1]?.end_time ?? '')).toBe(true);
  });

  test('that wait are cancelled at once, and one that has ended cannot be', async () => {
    const id = await uploadedAsset('cancelled.csv');
    const [running, waiting] = [await start(id), await start(id)];
    const reply = await service.call('POST', `/api/backend/default/jobs/${waiting}/cancel`, undefined, admin);
    expect([200, 409]).toContain(reply.status);
    expect(await service.untilEnded(waiting, admin)).toMatchObject({ status: reply.status === 200 ? 'FAILED' : 'FINISHED' });
    await service.untilEnded(running, admin);
    expect(await service.call('POST', `/api/backend/default/jobs/${running}/cancel`, undefined, admin)).toMatchObject({ status: 409 });
  });

  test('fail with a sentence when there is no data', async () => {
    const path = '/api/backend/default/configuration/projects/0/assets';
    const asset = await service.call('POST', path, { name: 'nothing', type: 'UPLOAD', payload: {} }, admin);
    const job = await service.untilEnded(await start((asset.body as { id: string }).id), admin);
    expect(job).toMatchObject({ status: 'FAILED', details: expect.stringContaining('upload_id') });
  });

  test('of kinds that this release does not read are refused', async () => {
    const connections = '/api/backend/default/configuration/connections';
    for (const [body, message] of [
      [{ type: 'SNOWFLAKE', payload: { acount: 'a' } }, /payload\.account is missing/],
      [{ type: 'BIGQUERY', payload: { project: 'p' }, credential: { type: 'SIMPLE', payload: {} } }, /credential\.type is SIMPLE/],
      [{ type: 'GENERIC_JDBC', payload: { db_type: 'x', connection_properties: 'y' } }, /connection_properties must be an object/],
    ] as const) {
      expect(await service.call('POST', connections, { name: 'w', ...body }, admin)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(message) },
      });
    }
    const made = await service.call('POST', connections, { name: 'w', type: 'SNOWFLAKE', payload: { account: 'a' } }, admin);
    expect(made.body).toMatchObject({ scannable: false });
    const body = { name: 'w', type: 'SNOWFLAKE', payload: { table: 't' }, connection_id: (made.body as { id: number }).id };
    const asset = await service.call('POST', '/api/backend/default/configuration/projects/0/assets', body, admin);
    expect(asset).toMatchObject({ status: 200, body: { type: 'SNOWFLAKE', attributes: [] } });
    const path = `/default/assets/${(asset.body as { id: string }).id}/batch_data`;
    expect(await service.call('POST', path, undefined, admin)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('SNOWFLAKE') },
    });
    const test = await service.call('POST', `${connections}/${(made.body as { id: number }).id}/test`, undefined, admin);
    expect(test).toMatchObject({ status: 400 });
  });

  test('find schema changes, broken rules with samples, and the values of monitors', async () => {
    const id = await uploadedAsset('rules.csv');
    const monitor = {
      type: 'RULE',
      name: 'amount is small',
      enabled: true,
      monitor: { expression: 'VALIDATE `amount` EXPECT NUMERIC_VALUE <= 8' },
      threshold: { threshold_type: 'STATIC', threshold1: 90 },
    };
    const made = await service.call('POST', `/default/configuration/assets/${id}/monitors`, monitor, admin);
    const { id: monitorId } = made.body as { id: string };
    await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
    await service.untilEnded(await start(id), admin);
    const changed = await service.call('POST', '/default/uploads?name=more.csv', `${CSV.replace('name', 'title')}`, {
      ...admin,
      'content-type': 'text/csv',
    });
    const { payload } = changed.body as Uploaded;
    await service.call('PUT', `/api/backend/default/configuration/projects/0/assets/${id}`, { payload }, admin);
    const second = await start(id);
    expect(await service.untilEnded(second, admin)).toMatchObject({ status: 'FINISHED' });
    const get = async (path: string) => (await service.call('GET', path, undefined, admin)).body;
    expect(await get(`/api/backend/default/jobs/${second}/schema_changes`)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'ADDED', attribute: 'title' }),
        expect.objectContaining({ kind: 'REMOVED', attribute: 'name' }),
      ]),
    );
    expect(await get(`/api/search/default/metrics?asset_id=${id}&monitor_id=${monitorId}&job_id=${second}`)).toMatchObject([
      { metric_name: 'CORRECTNESS', monitor_id: monitorId, job_id: second },
    ]);
    expect(await get(`/api/backend/default/jobs/${second}/samples?monitor_id=${monitorId}`)).toEqual(
      expect.arrayContaining([expect.objectContaining({ monitor_id: monitorId, record_id: '1' })]),
    );
  });

  test('that are light after a full one take nothing for gone', async () => {
    const id = await uploadedAsset('light.csv');
    const path = `/default/configuration/assets/${id}/monitors`;
    const made = { enabled: true, type: 'RULE', name: 'small', monitor: { expression: 'VALIDATE id EXPECT NUMERIC_VALUE < 1000' } };
    expect(await service.call('POST', path, made, admin)).toMatchObject({ status: 200 });
    await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
    const full = await service.untilEnded(await start(id), admin);
    expect(full).toMatchObject({ status: 'FINISHED', checks: { errored: 0, violated: 0 } });
    const asset = `/api/backend/default/configuration/projects/0/assets/${id}`;
    expect(await service.call('PUT', asset, { options: { only_light_scan: 'true' } }, admin)).toMatchObject({ status: 200 });
    const light = await start(id);
    expect(await service.untilEnded(light, admin)).toMatchObject({ status: 'FINISHED', checks: { errored: 0, violated: 0 } });
    const measured = await service.call('GET', `/api/search/default/metrics?asset_id=${id}&job_id=${light}`, undefined, admin);
    const names = (measured.body as { metric_name: string }[]).map(({ metric_name }) => metric_name);
    expect(names).toContain('RECORD_COUNT');
    expect(names).not.toContain('COMPLETENESS');
  });

  test('of rows without vectors take no text of vectors', async () => {
    const id = await uploadedAsset('rows.csv');
    const change = { options: { text_members: { '': 'id' } } };
    expect(await service.call('PUT', `/api/backend/default/configuration/projects/0/assets/${id}`, change, admin)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('options.text_members: only assets with vectors have source texts; leave the option out') },
    });
  });

  test('survive a restart: what waited is done, what was found stays', async () => {
    const id = await uploadedAsset('restart.csv');
    const done = await start(id);
    await service.untilEnded(done, admin);
    const before = await service.call('GET', `/api/search/default/metrics?asset_id=${id}`, undefined, admin);
    const waiting = [await start(id), await start(id)];
    await service.restart();
    for (const job of waiting) expect(await service.untilEnded(job, admin)).toMatchObject({ status: 'FINISHED' });
    const after = await service.call('GET', `/api/search/default/metrics?asset_id=${id}&job_id=${done}`, undefined, admin);
    expect(after.body).toEqual(before.body);
  });
});

describe('uploads', () => {
  test('are listed, used, and deleted once no asset uses them', async () => {
    const id = await uploadedAsset('kept.csv');
    const list = (await service.call('GET', '/default/uploads', undefined, admin)).body as (Uploaded & { name: string })[];
    const upload = list.find(({ name }) => name === 'kept.csv');
    const path = `/api/data/default/uploads/${upload?.id}`;
    expect(await service.call('DELETE', path, undefined, admin)).toMatchObject({ status: 409 });
    await service.call('DELETE', `/api/backend/default/configuration/projects/0/assets/${id}`, undefined, admin);
    expect(await service.call('DELETE', path, undefined, admin)).toMatchObject({ status: 200 });
    expect(await service.call('DELETE', path, undefined, admin)).toMatchObject({ status: 404 });
  });

  test.each(['', '?name=', '?name=a/b.csv', '?name=..%2Fx', '?name=a%00.csv', '?name=a.csv&tenant=other', '?title=x'])(
    'refuse the query string %j',
    async (query) => {
      expect(await service.call('POST', `/default/uploads${query}`, 'a', { ...admin, 'content-type': 'text/csv' })).toMatchObject({
        status: 400,
      });
    },
  );

  test('of more than the limit are refused, whether they say so ahead or not, and leave nothing', async () => {
    await using own = await testService({ environment: { OBSERVABILITY_UPLOAD_LIMIT_BYTES: '2048' } });
    const header = { ...(await own.login()), 'content-type': 'text/csv' };
    const long = 'x'.repeat(4096);
    const streamed = new Blob([long]).stream();
    for (const body of [long, streamed]) {
      expect(await own.call('POST', '/default/uploads?name=x.csv', body, header)).toMatchObject({ status: 413 });
    }
    expect(await own.call('POST', '/default/uploads?name=x.csv', 'x'.repeat(2048), header)).toMatchObject({ status: 200 });
    expect((await own.call('GET', '/default/uploads', undefined, header)).body).toHaveLength(1);
  });
});

describe('how a file is read', () => {
  const ASSETS = '/api/backend/default/configuration/projects/0/assets';
  const assetOf = async (id: string) => (await service.call('GET', `${ASSETS}/${id}`, undefined, admin)).body as Record<string, unknown>;
  const scanned = async (id: string) => {
    const started = await service.call('POST', `/api/data/default/assets/${id}/batch_data`, undefined, admin);
    return service.untilEnded((started.body as { job_id: string }).job_id, admin);
  };
  const deliver = async (id: string, text: string) => {
    const upload = await service.call('POST', '/default/uploads?name=next.csv', text, { ...admin, 'content-type': 'text/csv' });
    return service.call('PUT', `${ASSETS}/${id}`, { payload: (upload.body as Uploaded).payload }, admin);
  };
  const incidentsOf = async (id: string) => {
    const incidents = await service.call('GET', '/api/backend/default/incidents', undefined, admin);
    return (incidents.body as { id: number; asset_id: string; alert_policy_id: string }[]).filter(({ asset_id }) => asset_id === id);
  };

  test('is found at registration, stored, shown, and changed; scans follow it', async () => {
    const id = await uploadedAsset('codes.csv', '# export\ncode;n\n1;2\n2;3\n', 'code');
    const { options, attributes } = await assetOf(id);
    expect(options).toMatchObject({ reading: { encoding: 'UTF-8', separator: ';', skip: 1, header: true } });
    expect(attributes).toMatchObject([{ name: 'code', data_type: 'INTEGER' }, { name: 'n' }]);
    const change = { options: { reading: { types: { code: 'STRING' } } } };
    const changed = await service.call('PUT', `${ASSETS}/${id}`, change, admin);
    expect(changed.body).toMatchObject({
      options: { reading: { separator: ';', types: { code: 'STRING' } } },
      attributes: [{ name: 'code', data_type: 'STRING' }, { name: 'n' }],
    });
    expect(await scanned(id)).toMatchObject({ status: 'FINISHED', details: expect.stringMatching(/^2 records scanned/) });
    expect((await assetOf(id)).attributes).toMatchObject([
      { name: 'code', data_type: 'STRING' },
      { name: 'n', data_type: 'INTEGER' },
    ]);
    const wrong = await service.call('PUT', `${ASSETS}/${id}`, { options: { reading: { encoding: 'KLINGON' } } }, admin);
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining('options.reading.encoding') } });
  });

  test('is not switched when a later delivery is UTF-8: that is refused, and where it shows late, fails the scan', async () => {
    const rows = 'id,name\n1,M\xfcller\n2,caf\xe9\n';
    const id = await uploadedAsset('names.csv', Buffer.from(rows, 'latin1'));
    expect(await assetOf(id)).toMatchObject({ options: { reading: { encoding: 'WINDOWS-1252' } } });
    const isUtf8 = expect.stringContaining('the file is UTF-8, not WINDOWS-1252 as options.reading.encoding says');
    expect(await deliver(id, 'id,name\n1,Müller\n')).toMatchObject({ status: 400, body: { message: isUtf8 } });
    const late = `id,name\n${Array.from({ length: 30_000 }, (_, row) => `${row},Meier\n`).join('')}30000,Müller\n`;
    expect(await deliver(id, late)).toMatchObject({ status: 200 });
    expect(await scanned(id)).toMatchObject({ status: 'FAILED', details: isUtf8 });
    expect(await service.call('PUT', `${ASSETS}/${id}`, { options: { reading: null } }, admin)).toMatchObject({ status: 200 });
    expect(await scanned(id)).toMatchObject({ status: 'FINISHED', details: expect.stringMatching(/^30001 records scanned/) });
  });

  test('rejected rows and values that do not fit are alerts of a first scan', async () => {
    const id = await uploadedAsset('ragged.csv', `id,n\n${Array.from({ length: 200 }, (_, row) => `${row},7\n`).join('')}200,x\n201\n`);
    await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
    const job = (await scanned(id)) as { id: string; details: string };
    expect(job.details).toContain('1 row was rejected');
    const incidents = await service.call('GET', '/api/backend/default/incidents', undefined, admin);
    const own = (incidents.body as { asset_id: string; alert_policy_name: string }[]).filter(({ asset_id }) => asset_id === id);
    expect(own.map(({ alert_policy_name }) => alert_policy_name).sort()).toEqual(['Rejected rows violation', 'Type mismatch violation']);
  });

  test('with one typo in a column of numbers, after six good scans, is one incident, which is about the typo', async () => {
    const cities = ['Bonn', 'Lyon', 'Porto'];
    const table = (typo?: string) =>
      `id,n,city\n${Array.from({ length: 500 }, (_, row) => `${row},${(row === 250 ? typo : undefined) ?? 100 + (row % 37)},${cities[row % 3]}\n`).join('')}`;
    const id = await uploadedAsset('typed.csv', table());
    await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
    for (let scan = 0; scan < 6; scan += 1) expect(await scanned(id)).toMatchObject({ status: 'FINISHED', checks: { violated: 0 } });
    expect(await deliver(id, table('1O7'))).toMatchObject({ status: 200 });
    expect(await scanned(id)).toMatchObject({ status: 'FINISHED', checks: { violated: 1 } });
    const [incident, ...others] = await incidentsOf(id);
    expect([incident?.alert_policy_id, others]).toEqual(['TYPE_MISMATCH_VIOLATION', []]);
    const detail = await service.call('GET', `/api/backend/default/incidents/${incident?.id}`, undefined, admin);
    expect(detail.body).toMatchObject({ metrics: [{ metric_name: 'TYPE_MISMATCH', attribute: 'n' }] });
  });

  test('decides whether it can be registered: what cannot be opened is refused at once', async () => {
    const refused = async (name: string, payload: unknown) => service.call('POST', ASSETS, { name, type: 'UPLOAD', payload }, admin);
    const unknown = await refused('unknown', { upload_id: '00000000-0000-4000-8000-000000000000.csv' });
    expect(unknown).toMatchObject({ status: 400, body: { message: expect.stringContaining('there is no readable file') } });
    const upload = await service.call('POST', '/default/uploads?name=a.zip', 'PK\u0003\u0004...', { ...admin, 'content-type': 'text/csv' });
    const zip = await refused('zip', (upload.body as Uploaded).payload);
    expect(zip).toMatchObject({ status: 400, body: { message: expect.stringContaining('a ZIP archive') } });
    expect((await service.call('POST', ASSETS, { name: 'later', type: 'UPLOAD', payload: {} }, admin)).status).toBe(200);
  });
});
