// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, CONNECTION, MONITOR, runningJob, TEMPLATE } from './samples.conformance.ts';

export function sourcesSuite({ metadata, tenant }: Fixture): void {
  test('a project goes only when it is empty, and Default never', async () => {
    const { projects, assets } = await tenant();
    const project = await projects.create({ name: 'Sales', description: 'd', created_by: 'ada' });
    expect(project).toMatchObject({ id: 1, name: 'Sales' });
    await expect(projects.create({ name: 'Sales', description: null, created_by: 'ada' })).rejects.toThrow('already');
    expect(await projects.update(1, { description: null })).toMatchObject({ name: 'Sales', description: null });
    await expect(projects.update(1, { name: 'Default' })).rejects.toMatchObject({ name: 'MetadataConflict' });
    const asset = await assets.create({ ...ASSET, project_id: 1 });
    await expect(projects.delete(1)).rejects.toThrow('holds assets');
    await assets.delete(asset.id);
    await projects.delete(1);
    await expect(projects.get(1)).rejects.toMatchObject({ name: 'MetadataMissing' });
    await expect(projects.delete(0)).rejects.toThrow('Default');
  });

  test('a connection never shows its credential; only its own method opens it', async () => {
    const { connections } = await tenant();
    const connection = await connections.create(CONNECTION);
    for (const shown of [connection, await connections.get(connection.id), ...(await connections.list())]) {
      expect(JSON.stringify(shown)).not.toContain('secret');
    }
    expect(await connections.credential(connection.id)).toEqual(CONNECTION.credential);
    await connections.update(connection.id, { name: 'renamed' });
    expect(await connections.credential(connection.id)).toEqual(CONNECTION.credential);
    await connections.update(connection.id, { credential: null });
    expect(await connections.credential(connection.id)).toBeNull();
  });

  test('a project sees its connections and, if asked, the global ones', async () => {
    const { projects, connections } = await tenant();
    const { id: project_id } = await projects.create({ name: 'p', description: null, created_by: 'ada' });
    const own = await connections.create({ ...CONNECTION, scope: 'PROJECT', project_id });
    const global = await connections.create(CONNECTION);
    expect(await connections.list({ project_id })).toEqual([own]);
    expect(await connections.list({ project_id, with_global: true })).toEqual([own, global]);
    expect(await connections.list({ project_id: 0 })).toEqual([]);
    expect(await connections.list()).toEqual([own, global]);
    await expect(projects.delete(project_id)).rejects.toThrow('holds connections');
  });

  test('a connection in use stays', async () => {
    const { connections, assets, dqReportingConfig } = await tenant();
    const { id } = await connections.create(CONNECTION);
    const asset = await assets.create({ ...ASSET, connection_id: id });
    await expect(connections.delete(id)).rejects.toThrow('Assets use');
    await assets.update(asset.id, { connection_id: null });
    await dqReportingConfig.put({ enabled: true, path: 'p', connection_id: id });
    await expect(connections.delete(id)).rejects.toThrow('reporting');
    await dqReportingConfig.delete();
    await connections.delete(id);
    await expect(assets.create({ ...ASSET, connection_id: id })).rejects.toMatchObject({ kind: 'connection' });
  });

  test('an asset comes with its pre-built monitors and takes all that is its own along', async () => {
    const { assets, attributes, monitors, schedules } = await tenant();
    const asset = await assets.create(ASSET);
    expect(asset.id).toMatch(/^[a-z0-9]{12}$/);
    const prebuilt = await monitors.list(asset.id);
    expect(prebuilt).toHaveLength(21);
    expect(prebuilt.find(({ id }) => id === 'PII_EXPOSURE')).toMatchObject({ enabled: false });
    await attributes.replace(asset.id, [{ name: 'price', source_type: 'text', data_type: 'STRING' }], { monitorNew: false });
    expect(await assets.get(asset.id, { with_attributes: true, with_schedules: true, with_lineage: true })).toMatchObject({
      ...ASSET,
      attributes: [{ name: 'price', monitored: false }],
      scheduled_upload: null,
      parents: [],
      children: [],
    });
    await assets.delete(asset.id);
    for (const ask of [assets.get, monitors.list, attributes.list]) await expect(ask(asset.id)).rejects.toMatchObject({ kind: 'asset' });
    expect(await schedules.find(asset.id)).toBeUndefined();
  });

  test('an update changes what is sent', async () => {
    const { assets } = await tenant();
    const asset = await assets.create(ASSET);
    expect(await assets.update(asset.id, { name: 'Bills', tags: [] })).toEqual({ ...asset, name: 'Bills', tags: [] });
    expect(await assets.get(asset.id)).toEqual({ ...asset, name: 'Bills', tags: [] });
  });

  test('assets move together or not at all', async () => {
    const { projects, assets } = await tenant();
    const { id: target_project_id } = await projects.create({ name: 'p', description: null, created_by: 'ada' });
    const ids = [(await assets.create(ASSET)).id, (await assets.create(ASSET)).id];
    const move = { source_project_id: 0, target_project_id };
    await expect(assets.move({ ...move, asset_ids: [...ids, 'unknown'] })).rejects.toMatchObject({ id: 'unknown' });
    expect(await assets.list({ project_id: target_project_id })).toEqual([]);
    await assets.move({ ...move, asset_ids: ids });
    expect((await assets.list({ project_id: target_project_id })).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('an asset with a job stays', async () => {
    const { ...own } = await tenant();
    const { id } = await own.assets.create(ASSET);
    const lease = await runningJob(metadata(), own, id);
    await expect(own.assets.delete(id)).rejects.toMatchObject({ name: 'MetadataConflict' });
    await own.jobs.fail(lease, 'enough');
    await own.assets.delete(id);
  });

  test('attributes that stay keep their id and whether they are monitored', async () => {
    const { assets, attributes } = await tenant();
    const { id } = await assets.create(ASSET);
    const column = (name: string) => ({ name, source_type: 'int', data_type: 'INTEGER' as const });
    const [first] = await attributes.replace(id, [column('a'), column('b')], { monitorNew: false });
    await attributes.setMonitored(id, { a: true, unknown: true });
    const next = await attributes.replace(id, [column('c'), column('a')], { monitorNew: false });
    expect(next.map(({ name, monitored }) => [name, monitored])).toEqual([
      ['c', false],
      ['a', true],
    ]);
    expect(next[1]?.id).toBe(first?.id);
    expect(await attributes.list(id)).toEqual(next);
  });

  test('lineage has no cycles', async () => {
    const { assets, lineage } = await tenant();
    const [a, b, c] = [(await assets.create(ASSET)).id, (await assets.create(ASSET)).id, (await assets.create(ASSET)).id];
    await lineage.replace(b, { parents: [a], children: [c] });
    expect(await lineage.get(b)).toEqual({ parents: [a], children: [c] });
    for (const edges of [{ parents: [c] }, { parents: [a] }, { parents: [b] }]) {
      await expect(lineage.replace(a, edges)).rejects.toMatchObject({ name: 'MetadataConflict' });
    }
    await expect(lineage.replace(c, { children: [a] })).rejects.toThrow('back to itself');
    await expect(lineage.replace(a, { parents: ['unknown'] })).rejects.toMatchObject({ kind: 'asset' });
    expect(await lineage.get(a)).toEqual({ parents: [], children: [b] });
    await lineage.replace(b, { children: [] });
    expect(await lineage.get(c)).toEqual({ parents: [], children: [] });
    await assets.delete(a);
    expect(await lineage.get(b)).toEqual({ parents: [], children: [] });
  });

  test('what is known of columns goes with the edge that carries it', async () => {
    const { assets, lineage, columnLineage } = await tenant();
    const [a, b, c] = [(await assets.create(ASSET)).id, (await assets.create(ASSET)).id, (await assets.create(ASSET)).id];
    await lineage.replace(c, { parents: [a, b] });
    const price = { asset_id: a, attribute: 'price' };
    const fee = { asset_id: b, attribute: 'fee' };
    await columnLineage.replace(c, [
      { attribute: 'total', sources: [price, fee, price] },
      { attribute: 'source', sources: [] },
    ]);
    const constant = { attribute: 'source', origin: 'PERSON', sources: [] };
    expect(await columnLineage.list(c)).toEqual([constant, { attribute: 'total', origin: 'PERSON', sources: [price, fee] }]);
    await lineage.replace(c, { parents: [b, a] });
    expect((await columnLineage.list(c))[1]?.sources).toEqual([price, fee]);
    await expect(columnLineage.replace(a, [{ attribute: 'x', sources: [fee] }])).rejects.toMatchObject({ name: 'MetadataConflict' });
    await lineage.replace(c, { parents: [b] });
    expect((await columnLineage.list(c))[1]?.sources).toEqual([fee]);
    await assets.delete(b);
    expect(await columnLineage.list(c)).toEqual([constant]);
  });

  test('what a program tells of columns leaves what a person said', async () => {
    const { assets, columnLineage } = await tenant();
    const { id } = await assets.create(ASSET);
    await columnLineage.replace(id, [{ attribute: 'mine', sources: [] }]);
    const reported = ['mine', 'other'].map((attribute) => ({ attribute, sources: [] }));
    await columnLineage.report(id, reported, 'OPENLINEAGE');
    await columnLineage.report(id, reported, 'OPENLINEAGE');
    expect((await columnLineage.list(id)).map(({ attribute, origin }) => [attribute, origin])).toEqual([
      ['mine', 'PERSON'],
      ['other', 'OPENLINEAGE'],
    ]);
  });

  test('a column that a person sends as it is known keeps who said so, and goes on following it', async () => {
    const { assets, lineage, columnLineage } = await tenant();
    const [parent, id] = [(await assets.create(ASSET)).id, (await assets.create(ASSET)).id];
    await lineage.replace(id, { parents: [parent] });
    const from = (...attributes: readonly string[]) => attributes.map((attribute) => ({ asset_id: parent, attribute }));
    const seen = [
      { attribute: 'changed', sources: from('x') },
      { attribute: 'left', sources: from('y', 'z') },
      { attribute: 'none', sources: [] },
    ];
    await columnLineage.report(id, seen, 'VIEW');
    await columnLineage.replace(id, [
      { attribute: 'changed', sources: from('x', 'y') },
      { attribute: 'left', sources: from('z', 'y') },
      { attribute: 'none', sources: [] },
    ]);
    const origins = async () => (await columnLineage.list(id)).map(({ attribute, origin }) => [attribute, origin]);
    expect(await origins()).toEqual([
      ['changed', 'PERSON'],
      ['left', 'VIEW'],
      ['none', 'VIEW'],
    ]);
    await columnLineage.report(id, [{ attribute: 'left', sources: from('z') }], 'VIEW');
    expect(await columnLineage.list(id)).toEqual([
      { attribute: 'changed', origin: 'PERSON', sources: from('x', 'y') },
      { attribute: 'left', origin: 'VIEW', sources: from('z') },
    ]);
  });

  test('two edges that would close a cycle at once do not', async () => {
    const { assets, lineage } = await tenant();
    const [a, b] = [(await assets.create(ASSET)).id, (await assets.create(ASSET)).id];
    const results = await Promise.allSettled([lineage.replace(a, { parents: [b] }), lineage.replace(b, { parents: [a] })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('a monitor has one name per asset; pre-built ones stay', async () => {
    const { assets, monitors, alerts } = await tenant();
    const { id } = await assets.create(ASSET);
    const monitor = await monitors.create(id, MONITOR);
    expect(monitor).toMatchObject({ ...MONITOR, id: '1', asset_id: id, modified_by: 'ada' });
    await expect(monitors.create(id, MONITOR)).rejects.toThrow('already');
    await expect(monitors.update(id, '1', { name: 'Schema drifts', modified_by: 'eve' })).rejects.toMatchObject({ kind: 'monitor' });
    expect(await monitors.update(id, '1', { enabled: false, modified_by: 'eve' })).toMatchObject({ enabled: false, modified_by: 'eve' });
    expect((await monitors.list(id)).at(-1)?.id).toBe('1');
    await expect(monitors.delete(id, 'SCHEMA_DRIFTS')).rejects.toThrow('pre-built');
    await monitors.delete(id, '1');
    await expect(monitors.get(id, '1')).rejects.toMatchObject({ kind: 'monitor', id: '1' });
    expect(await alerts.byFilters({ sources: [id], upload_dates: [], violation_names: [] })).toEqual([]);
  });

  test('a ticket template in use stays; the newest is listed first', async () => {
    const { assets, monitors, ticketTemplates } = await tenant();
    const { id } = await assets.create(ASSET);
    const first = await ticketTemplates.create(TEMPLATE);
    const second = await ticketTemplates.create({ ...TEMPLATE, name: 'task' });
    expect(await ticketTemplates.list()).toEqual([second, first]);
    await expect(ticketTemplates.create(TEMPLATE)).rejects.toThrow('already');
    await expect(ticketTemplates.replace(second.id, TEMPLATE)).rejects.toMatchObject({ kind: 'ticket template' });
    expect(await ticketTemplates.replace(first.id, { ...TEMPLATE, description: 'd' })).toEqual({ ...first, description: 'd' });
    const ticketing = { type: 'TRACKER', create_ticket: true, ticket_template_id: first.id } as const;
    await monitors.create(id, { ...MONITOR, ticketing });
    await expect(ticketTemplates.delete(first.id)).rejects.toThrow('revenue');
    const unknown = monitors.create(id, { ...MONITOR, name: 'x', ticketing: { ...ticketing, ticket_template_id: 99 } });
    await expect(unknown).rejects.toMatchObject({ kind: 'ticket template', id: '99' });
    await ticketTemplates.delete(second.id);
    await expect(ticketTemplates.get(second.id)).rejects.toMatchObject({ name: 'MetadataMissing' });
  });

  test('uploads and channels are kept', async () => {
    const { uploads, channels } = await tenant();
    const upload = await uploads.create({ file_name: 'a.csv', bytes: 2 ** 40, sha256: 'ff', path: 'x/a.csv', created_by: 'ada' });
    expect(await uploads.get(upload.id)).toEqual(upload);
    expect(await uploads.list()).toEqual([upload]);
    await uploads.delete(upload.id);
    await expect(uploads.get(upload.id)).rejects.toMatchObject({ kind: 'upload' });
    const channel = { name: 'ops', type: 'EMAIL', addresses: ['a@example.org'] } as const;
    await channels.create(channel);
    await expect(channels.create(channel)).rejects.toMatchObject({ kind: 'notification channel' });
    expect(await channels.update('ops', { type: 'SLACK', addresses: ['#a'] })).toEqual(await channels.get('ops'));
    expect(await channels.list()).toHaveLength(1);
    await channels.delete('ops');
    await expect(channels.delete('ops')).rejects.toMatchObject({ name: 'MetadataMissing' });
  });
}
