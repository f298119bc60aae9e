// SPDX-License-Identifier: Apache-2.0
/** Assets as a person meets them: found in a list, looked at, decided about, connected, uploaded. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsset, scan, uploadAsset } from '../observability/scanning.ts';
import { complaintsOf, hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture } from './console-fixture.ts';
import { seriousFindings } from './inspection.ts';

const SCANS = 2;

/** In Windows-1250, hűség and őszi. */
const AMBIGUOUS = Buffer.from('id,name\n1,h\xfbs\xe9g\n2,\xf5szi\n', 'latin1');

describe.skipIf(!hasBrowser)('assets', () => {
  let fixture: ConsoleFixture;
  let ordersId: string;
  let reportId: string;

  beforeAll(async () => {
    fixture = await sharedConsoleFixture();
    const { api } = fixture;
    const orders = await uploadAsset(api, { file: 'orders.csv', name: 'orders', bytes: ordersOf(40) });
    ordersId = orders.id;
    for (let each = 0; each < SCANS; each += 1) await scan(api, ordersId);
    reportId = (await createAsset(api, { name: 'report', type: 'UPLOAD', payload: {}, tags: ['gold'] })).id;
    await api.call('put_lineage', { asset_id: reportId }, { body: { parents: [ordersId] } });
    const columns = [{ attribute: 'total', sources: [{ asset_id: ordersId, attribute: 'amount' }] }];
    await api.call('put_column_lineage', { asset_id: reportId }, { body: { columns } });
  });

  afterAll(() => fixture?.[Symbol.asyncDispose]());

  test('what is sought stands in the address, and arrows go from row to row', async () => {
    const page = await fixture.openAsMember('/assets');
    await page.getByRole('link', { name: 'orders' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('report');
    await page.getByRole('textbox', { name: 'Find by name, tag or source' }).fill('gold');
    await page.getByRole('link', { name: 'orders' }).waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toContain('q=gold');
    await page.getByRole('button', { name: /Never scanned\s*1/ }).waitFor();
  });

  test('a value is excluded from learning where it is looked at', async () => {
    const page = await fixture.openAsMember(`/assets/0/${ordersId}?of=the+asset+as+a+whole`);
    await page.getByRole('button', { name: 'Values of Record count' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record count' });
    await dialog.getByRole('button', { name: 'Exclude' }).first().click();
    await dialog.getByText('excluded', { exact: true }).waitFor();
    const excluded = await fixture.api.call('list_metric_exclusions', {}, { query: { asset_id: ordersId } });
    expect(excluded).toMatchObject([{ metric_name: 'RECORD_COUNT', value: 40 }]);
  });

  test('a schedule is said in words before it is saved, and what is none is refused', async () => {
    const page = await fixture.openAsMember(`/assets/0/${ordersId}?tab=settings`);
    const cron = page.getByRole('textbox', { name: 'Cron expression' });
    await cron.fill('61 6 * * *');
    const schedule = page.getByRole('region', { name: 'Schedule' });
    await schedule.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => cron.getAttribute('aria-invalid')).toBe('true');
    await cron.fill('30 7 * * 1');
    await schedule.getByText(/At 07:30, on Monday|At 07:30, only on Monday/).waitFor();
    await schedule.getByRole('button', { name: 'Save' }).click();
    await schedule.getByText('Saved').waitFor();
    expect(await fixture.api.call('get_schedule', { project_id: 0, asset_id: ordersId })).toMatchObject({
      schedule: '30 7 * * 1',
      enabled: true,
    });
  });

  test('an attribute that is not to be measured is not', async () => {
    const page = await fixture.openAsMember(`/assets/0/${ordersId}?tab=attributes`);
    await page.getByRole('checkbox', { name: 'Measure amount' }).click();
    await page.getByText('1 of 2 attributes are measured by scans.').waitFor();
    const attributes = await fixture.api.call('list_attributes', { asset_id: ordersId });
    expect(attributes.map(({ name, monitored }) => [name, monitored])).toEqual([
      ['id', true],
      ['amount', false],
    ]);
  });

  test('cells that look wrong are searched for once somebody asks, and verdicts and suggested rules are a click away', async () => {
    const { id } = await uploadAsset(fixture.api, { file: 'cities.csv', name: 'cities', bytes: citiesWithASlip() });
    const page = await fixture.openAsMember(`/assets/0/${id}?tab=suggestions`);
    await page.getByText('This asset is not searched').waitFor();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('switch', { name: 'Search for wrong cells' }).click();
    const options = page.getByRole('region', { name: 'Scan options' });
    await options.getByRole('button', { name: 'Save' }).click();
    await options.getByText('Saved').waitFor();
    await scan(fixture.api, id);
    await page.getByRole('tab', { name: 'Suggestions' }).click();
    const cells = page.getByRole('region', { name: 'Cells that look wrong' });
    await cells.getByRole('cell', { name: 'Bilbaoo', exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await cells.getByText('Right', { exact: true }).click();
    const listed = () => fixture.api.call('list_wrong_cells', { asset_id: id });
    await expect.poll(async () => (await listed()).cells).toMatchObject([{ attribute: 'city', verdict: 'RIGHT' }]);
    const rules = page.getByRole('region', { name: 'Suggested rules' });
    await rules.getByRole('link', { name: 'Edit before adding: city determines country' }).click();
    const written = page.getByRole('form', { name: 'New monitor' });
    await expect.poll(() => written.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('city determines country');
    await page.goBack();
    await rules.getByRole('button', { name: 'Add monitor: city determines country' }).click();
    await rules.getByText('Monitored').waitFor();
    const monitors = await fixture.api.call('list_monitors', { asset_id: id });
    expect(monitors.map(({ name }) => name)).toContain('city determines country');
  });

  test('the columns that a column comes from are listed where the lineage is', async () => {
    for (const at of [`/assets/0/${reportId}?tab=lineage`, `/lineage?asset=${reportId}`]) {
      const page = await fixture.openAsMember(at);
      const known = page.getByRole('table', { name: 'Columns whose sources are known' });
      await known.getByRole('row', { name: `total orders amount a person` }).waitFor();
    }
  });

  test('columns are given sources and taken them again, those that stay go on as they were, and where they go is shown', async () => {
    const page = await fixture.openAsMember(`/assets/0/${reportId}?tab=lineage`);
    const change = page.getByRole('button', { name: 'Change the column sources' });
    const dialog = page.getByRole('dialog');
    const columns = async () => (await fixture.api.call('get_column_lineage', { asset_id: reportId })).columns;
    await change.click();
    const save = dialog.getByRole('button', { name: 'Save' });
    await dialog.getByRole('button', { name: 'Add a column' }).click();
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByRole('combobox', { name: 'Column', exact: true }).last().fill('total');
    await dialog.getByText('This column is listed already').waitFor();
    await dialog.getByRole('combobox', { name: 'Column', exact: true }).last().fill('number');
    await dialog.getByRole('combobox', { name: 'Sources of number' }).click();
    await page.getByRole('option', { name: 'id', exact: true }).click();
    await page.keyboard.press('Tab');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    const total = { attribute: 'total', origin: 'PERSON', sources: [{ asset_id: ordersId, attribute: 'amount' }] };
    expect(await columns()).toEqual([{ attribute: 'number', origin: 'PERSON', sources: [{ asset_id: ordersId, attribute: 'id' }] }, total]);
    const known = page.getByRole('table', { name: 'Columns whose sources are known' });
    await known.getByRole('row', { name: 'number orders id a person' }).waitFor();
    await change.click();
    await dialog.getByRole('button', { name: 'Remove the column number' }).click();
    await save.click();
    await known.getByRole('row', { name: 'number orders id a person' }).waitFor({ state: 'detached' });
    expect(await columns()).toEqual([total]);
    await fixture.show(page, `/assets/0/${ordersId}?tab=lineage`);
    await page.getByRole('table', { name: 'Columns used by other assets' }).getByRole('row', { name: 'amount report total' }).waitFor();
  });

  test('a circle in the lineage is refused in the words of the service', async () => {
    const page = await fixture.openAsMember(`/assets/0/${ordersId}?tab=lineage`);
    await page.getByRole('region', { name: 'Goes into' }).getByRole('link', { name: 'report' }).waitFor();
    await page.getByRole('button', { name: 'Change the sources' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Assets' }).fill('report');
    await page.getByRole('option', { name: /report/ }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/Could not change the lineage/)
      .waitFor();
    expect(await fixture.api.call('get_lineage', { asset_id: ordersId })).toEqual({ parents: [], children: [reportId] });
  });

  test('a directory is connected, and a file in it becomes an asset that is scanned', async () => {
    await writeFile(join(fixture.directory, 'stock.csv'), ordersOf(12));
    await copyFile(join(fixture.directory, 'stock.csv'), join(fixture.directory, 'returns.csv'));
    await writeFile(join(fixture.directory, 'cities.csv'), AMBIGUOUS);
    const page = await fixture.openAsMember('/settings/connections');
    await page.getByRole('button', { name: 'New connection' }).click();
    const form = page.getByRole('dialog', { name: 'New connection' });
    await form.getByRole('combobox', { name: 'To' }).click();
    await page.getByRole('option', { name: 'Files on the machine of the service' }).click();
    await form.getByRole('textbox', { name: 'Name' }).fill('deliveries');
    await form.getByRole('textbox', { name: 'Directory' }).fill(fixture.directory);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('reached', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Browse' }).click();
    await page.getByRole('checkbox', { name: 'stock.csv' }).click();
    await page.getByRole('checkbox', { name: 'cities.csv' }).click();
    await page.getByRole('button', { name: 'Register and scan 2' }).click();
    await page.getByText('cities.csv: ').getByText('it could be WINDOWS-1252').waitFor();
    await page.getByRole('combobox', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: 'WINDOWS-1250' }).click();
    // The other one is registered already.
    await page.getByRole('button', { name: 'Register and scan 1' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const assets = await fixture.api.call('list_assets', {});
    expect(assets.filter(({ name }) => name === 'stock.csv')).toHaveLength(1);
    expect(assets.find(({ name }) => name === 'cities.csv')).toMatchObject({ options: { reading: { encoding: 'WINDOWS-1250' } } });
    const stock = assets.find(({ name }) => name === 'stock.csv');
    expect(stock).toMatchObject({ type: 'FILE', payload: { path: 'stock.csv' } });
  });

  test('a file is uploaded and scanned', async () => {
    const page = await fixture.openAsMember('/assets');
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: 'Upload a file' }).first().click();
    const rows = Array.from({ length: 50 }, (_, i) => `${i},${i % 5 === 0 ? '' : `name ${i}`}`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(['id,name', ...rows, ''].join('\n')) });
    await page.getByRole('button', { name: 'Upload and scan' }).click();
    await page.getByRole('heading', { level: 1, name: 'people' }).waitFor();
    await page.getByText('50 records scanned').first().waitFor();
    await page.getByRole('heading', { name: 'Metrics over time' }).waitFor();
    await page.getByRole('tab', { name: 'Attributes' }).click();
    await page.getByRole('row', { name: /name/ }).getByText('80.0 %').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a file that several encodings could hold is uploaded once somebody says which', async () => {
    const page = await fixture.openAsMember('/assets');
    await page.getByRole('button', { name: 'Upload a file' }).first().click();
    await page.locator('input[type=file]').setInputFiles({ name: 'words.csv', mimeType: 'text/csv', buffer: AMBIGUOUS });
    await page.getByRole('button', { name: 'Upload and scan' }).click();
    await page.getByText('it could be WINDOWS-1252 (û é õ) or').waitFor();
    await page.getByRole('combobox', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: 'WINDOWS-1250' }).click();
    await page.getByRole('button', { name: 'Upload and scan' }).click();
    await page.getByRole('heading', { level: 1, name: 'words' }).waitFor();
    const assets = await fixture.api.call('list_assets', {});
    expect(assets.find(({ name }) => name === 'words')).toMatchObject({ options: { reading: { encoding: 'WINDOWS-1250' } } });
  });

  test('how its files are read is shown, kept as people change it, and found again', async () => {
    const bytes = Buffer.from('# export\ncode;n\n1;2\n2;3\n');
    const { id } = await uploadAsset(fixture.api, { file: 'codes.csv', name: 'codes', bytes });
    const readingOf = async () => (await fixture.api.call('get_asset', { project_id: 0, asset_id: id })).options.reading;
    const page = await fixture.openAsMember(`/assets/0/${id}?tab=settings`);
    const form = page.getByRole('region', { name: 'File format' });
    const separator = form.getByRole('textbox', { name: 'Separator', exact: true });
    await expect.poll(() => separator.inputValue()).toBe(';');
    await separator.fill(',');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(readingOf).toMatchObject({ separator: ',', skip: 1, header: true });
    await form.getByRole('button', { name: 'Detect again' }).click();
    await expect.poll(readingOf).toMatchObject({ separator: ';', skip: 1, header: true });
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('of which a monitor could not be evaluated is red, and its score leads to what costs it points, down to the rows', async () => {
    const { api } = fixture;
    const { id } = await uploadAsset(api, { file: 'refunds.csv', name: 'refunds', bytes: Buffer.from('id,amount,city\n1,5,Rome\n') });
    for (const [name, expression] of [
      ['amounts are positive', 'VALIDATE amount EXPECT VALUE > 0'],
      ['cities are named', 'VALIDATE city EXPECT LENGTH > 1'],
    ] as const) {
      await api.call('create_monitor', { asset_id: id }, { body: { type: 'RULE', name, enabled: true, monitor: { expression } } });
    }
    const { payload } = await api.call('create_upload', {}, { query: { name: 'next.csv' }, body: Buffer.from('id,amount\n1,5\n2,-37\n') });
    await api.call('update_asset', { project_id: 0, asset_id: id }, { body: { payload } });
    await scan(api, id);
    const page = await fixture.openAsMember('/assets');
    const row = page.getByRole('row', { name: /refunds/ });
    await row.getByRole('img', { name: /^finished, \d errored$/ }).waitFor();
    await row.getByRole('link', { name: /^Data quality score: / }).click();
    await expect.poll(() => page.url()).toContain('tab=score');
    const accuracy = page.getByRole('region', { name: 'Accuracy' });
    await accuracy.getByRole('link', { name: 'amounts are positive' }).waitFor();
    await accuracy.getByText('could not be measured').waitFor();
    await accuracy.getByText('Rows that fail amounts are positive').waitFor();
    await accuracy.getByText('-37', { exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });
});

function ordersOf(count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, id) => `${id},${(id * 37) % 101}`);
  return Buffer.from(['id,amount', ...rows, ''].join('\n'));
}

/** Orders of six cities, one of them misspelled once. */
function citiesWithASlip(): Uint8Array {
  const places = ['Hamburg,Germany', 'Lyon,France', 'Bilbao,Spain', 'Torino,Italy', 'Leeds,England', 'Porto,Portugal'];
  const rows = Array.from({ length: 300 }, (_, row) => `${row + 1},${places[row % places.length]}`);
  rows[8] = '9,Bilbaoo,Spain';
  return Buffer.from(['number,city,country', ...rows, ''].join('\n'));
}
