// SPDX-License-Identifier: Apache-2.0
/** Which columns a column is made of, as people and events of OpenLineage say it. */
import type { TenantMetadata } from '@sextant/observability-metadata';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const BACKEND = '/api/backend/default';
const TABLES = 'postgres://db.example.com:5432';

let service: TestService;
let admin: { readonly [name: string]: string };
let store: Awaited<ReturnType<TestService['openStore']>>;
let tenant: TenantMetadata;
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
  store = await service.openStore();
  tenant = store.forTenant('default');
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function asset(name: string, attributes: readonly string[], tags: readonly string[] = []): Promise<string> {
  const body = { name, type: 'UPLOAD', payload: {}, tags };
  const made = await service.call('POST', `${BACKEND}/configuration/projects/0/assets`, body, admin);
  const { id } = made.body as { readonly id: string };
  const columns = attributes.map((attribute) => ({ name: attribute, source_type: 'text', data_type: 'STRING' }) as const);
  await tenant.attributes.replace(id, columns, { monitorNew: true });
  return id;
}

const put = (id: string, columns: unknown) =>
  service.call('PUT', `${BACKEND}/configuration/assets/${id}/lineage/columns`, { columns }, admin);
const get = async (id: string) =>
  (await service.call('GET', `${BACKEND}/configuration/assets/${id}/lineage/columns`, undefined, admin)).body;
const tell = (event: unknown) => service.call('POST', `${BACKEND}/lineage/openlineage`, event, admin);

test('a person sets the columns, and gets an answer that says what is wrong with them', async () => {
  const [orders, revenue] = [await asset('orders', ['price', 'fee']), await asset('revenue', ['total', 'currency'])];
  const total = [{ attribute: 'total', sources: [{ asset_id: orders, attribute: 'price' }] }];
  expect(await put(revenue, total)).toMatchObject({ status: 409, text: expect.stringContaining('does not come from it') });
  await service.call('PUT', `${BACKEND}/configuration/assets/${revenue}/lineage`, { parents: [orders] }, admin);
  expect(await put(revenue, total)).toMatchObject({ status: 200, body: { columns: [{ ...total[0], origin: 'PERSON' }] } });
  expect(await get(orders)).toEqual({ columns: [] });
  for (const [columns, status, text] of [
    [[{ attribute: 'totl', sources: [] }], 400, 'columns[0].attribute'],
    [[{ attribute: 'total', sources: [{ asset_id: orders, attribute: 'prize' }] }], 400, 'columns[0].sources[0].attribute'],
    [[...total, ...total], 400, 'once'],
    [[{ attribute: 'total' }], 400, 'sources'],
    [[{ attribute: 'total', sources: [{ asset_id: 'unknown', attribute: 'price' }] }], 404, 'unknown'],
  ] as const) {
    expect(await put(revenue, columns)).toMatchObject({ status, text: expect.stringContaining(text) });
  }
  expect(await put('unknown', [])).toMatchObject({ status: 404 });
});

test('an event of OpenLineage tells which assets and columns an asset is made of', async () => {
  const clean = { namespace: TABLES, name: 'shop.public.clean' };
  const raw = { namespace: 's3://lake', name: 'raw/orders' };
  const lost = { namespace: 's3://lake', name: 'raw/fees' };
  const tagged = ({ namespace, name }: typeof clean) => [`openlineage:${namespace} ${name}`];
  const [source, target] = [
    await asset('raw', ['Price', 'id'], tagged(raw)),
    await asset('clean', ['amount', 'id', 'mine'], tagged(clean)),
  ];
  await put(target, [{ attribute: 'mine', sources: [] }]);
  const from = (...inputs: readonly (typeof clean & { readonly field: string })[]) => ({
    inputFields: inputs.map((input) => ({ ...input, transformations: [{ type: 'DIRECT' }] })),
  });
  const fields = {
    amount: from({ ...raw, field: 'price' }),
    mine: from({ ...raw, field: 'Price' }),
    // Of a column with a source that no asset has, and of one that the asset has not, nothing is known.
    id: from({ ...raw, field: 'id' }, { ...lost, field: 'id' }),
    gone: from({ ...raw, field: 'id' }),
  };
  const event = {
    eventType: 'COMPLETE',
    eventTime: '2026-01-01T00:00:00.000Z',
    run: { runId: '0176a8c2-fe01-7439-87e6-56a1a1b4029f' },
    job: { namespace: 'shop', name: 'clean' },
    inputs: [raw],
    outputs: [{ ...clean, facets: { schema: { fields: [] }, columnLineage: { fields, dataset: [] } } }],
  };
  const answer = { status: 200, body: { assets: [target], unknown: [lost] } };
  expect(await tell(event)).toMatchObject(answer);
  expect(await tell(event)).toMatchObject(answer);
  expect(await tenant.lineage.get(target)).toEqual({ parents: [source], children: [] });
  expect(await get(target)).toEqual({
    columns: [
      { attribute: 'amount', origin: 'OPENLINEAGE', sources: [{ asset_id: source, attribute: 'Price' }] },
      { attribute: 'mine', origin: 'PERSON', sources: [] },
    ],
  });
  expect(await tell({ inputs: [clean], outputs: [raw] })).toMatchObject({ status: 409, text: expect.stringContaining('back to itself') });
  expect(await tell({ outputs: [{ ...clean, facets: { columnLineage: { fields: { amount: {} } } } }] })).toMatchObject({
    status: 400,
    text: expect.stringContaining('inputFields'),
  });
});

test('a manifest of dbt tells which assets models are made of, and which columns where their SQL says so', async () => {
  const [raw, fees, target] = [
    await asset('raw orders', ['id', 'price', 'note'], ['dbt:source.shop.raw.orders']),
    await asset('fees', ['order_id', 'fee'], ['dbt:model.shop.fees']),
    await asset('orders', ['id', 'total', 'note', 'rows'], ['dbt:model.shop.orders']),
  ];
  const sql = `with source as (select * from "db"."raw"."orders"),
    charged as (select s.*, f.fee from source s left join "db"."dbt"."fees" f on f.order_id = s.id)
    select c.id, c.price + c.fee as total, upper(c.note) as note, count(*) over () as rows from charged c`;
  const table = (name: string) => ({ database: 'db', schema: 'dbt', name, resource_type: 'model' });
  const manifest = {
    metadata: { adapter_type: 'postgres' },
    nodes: {
      'model.shop.orders': {
        ...table('orders'),
        depends_on: { nodes: ['model.shop.inner', 'model.shop.fees', 'model.shop.lost'] },
        compiled_code: sql,
      },
      'model.shop.inner': { ...table('inner'), config: { materialized: 'ephemeral' }, depends_on: { nodes: ['source.shop.raw.orders'] } },
      'model.shop.fees': { ...table('fees'), compiled_code: null },
      'model.shop.lost': table('lost'),
      'test.shop.unique': { ...table('unique'), resource_type: 'test', depends_on: { nodes: ['model.shop.orders'] } },
    },
    sources: { 'source.shop.raw.orders': { database: 'db', schema: 'raw', name: 'orders', identifier: 'orders' } },
  };
  const send = (body: unknown) => service.call('POST', `${BACKEND}/lineage/dbt`, body, admin);
  expect(await send(manifest)).toMatchObject({ status: 200, body: { assets: [target], unknown: ['model.shop.lost'] } });
  expect((await tenant.lineage.get(target)).parents.toSorted()).toEqual([raw, fees].toSorted());
  const column = (attribute: string, ...sources: readonly (readonly [string, string])[]) => ({
    attribute,
    origin: 'DBT',
    sources: sources.map(([asset_id, of]) => ({ asset_id, attribute: of })),
  });
  expect(await get(target)).toEqual({
    columns: [column('id', [raw, 'id']), column('note', [raw, 'note']), column('total', [raw, 'price'], [fees, 'fee'])],
  });
  // What a model does not say any more is unknown.
  const changed = { ...manifest.nodes['model.shop.orders'], compiled_code: 'select fee as total from "db"."dbt"."fees"' };
  await send({ ...manifest, nodes: { ...manifest.nodes, 'model.shop.orders': changed } });
  expect(await get(target)).toEqual({ columns: [column('total', [fees, 'fee'])] });
  expect(await send({ nodes: { a: { name: 'a' } } })).toMatchObject({ status: 400, text: expect.stringContaining('resource_type') });
  // Of a manifest that closes a circle nothing is taken.
  const circle = { ...manifest.nodes['model.shop.fees'], depends_on: { nodes: ['model.shop.orders'] } };
  expect(await send({ ...manifest, nodes: { ...manifest.nodes, 'model.shop.fees': circle } })).toMatchObject({ status: 409 });
  expect(await get(target)).toEqual({ columns: [column('total', [fees, 'fee'])] });
});
