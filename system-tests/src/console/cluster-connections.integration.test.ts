// SPDX-License-Identifier: Apache-2.0
/** Connections to Spark on clusters of the three providers: made and changed in the console. */
import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { type ConsoleFixture, sharedConsoleFixture } from './console-fixture.ts';
import { seriousFindings } from './inspection.ts';

const PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();

type Texts = { readonly [label: string]: string };
type ClusterCase = {
  readonly label: string;
  readonly fields: Texts;
  /** A field, what is wrong in it, and what the service says of it. */
  readonly wrong: readonly [string, string, string];
  readonly payload: { readonly [member: string]: unknown };
};

const CASES: readonly ClusterCase[] = [
  {
    label: 'Spark on Google Dataproc',
    fields: {
      Region: 'europe-west3',
      Subnetwork: 'scans',
      'Project ID': 'p1',
      'Service account': 'scans@p1.iam.gserviceaccount.com',
      'Private key': PEM,
    },
    wrong: ['Private key', 'no key', 'is not a private key in PEM'],
    payload: { cluster: 'DATAPROC', region: 'europe-west3', subnetwork: 'scans' },
  },
  {
    label: 'Spark on Amazon EMR',
    fields: { Region: 'eu-central-1', Subnet: 'subnet-0abc', 'Access key ID': 'AKIA1', 'Secret access key': 'a-secret' },
    wrong: ['Region', 'Frankfurt am Main', 'is not the name of a region'],
    payload: { cluster: 'EMR', region: 'eu-central-1', subnet_id: 'subnet-0abc' },
  },
  {
    label: 'Spark on Databricks',
    fields: { 'Workspace host': 'dbc-a1b2.cloud.databricks.com', 'Access token': 'dapi1' },
    wrong: ['Workspace host', 'https://dbc-a1b2.cloud.databricks.com/', 'is not the host of a workspace'],
    payload: { cluster: 'DATABRICKS', host: 'dbc-a1b2.cloud.databricks.com' },
  },
];

describe.skipIf(!hasBrowser)('connections to clusters', () => {
  let fixture: ConsoleFixture;
  let page: Page;

  beforeAll(async () => {
    fixture = await sharedConsoleFixture();
    page = await fixture.openAsMember('/settings/connections');
  });
  afterAll(() => fixture?.[Symbol.asyncDispose]());

  test.each(CASES)('$label is connected, and stays that when it is changed', async ({ label, fields, wrong, payload }) => {
    await page.getByRole('button', { name: 'New connection' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'To' }).click();
    await page.getByRole('option', { name: label, exact: true }).click();
    // A field that must be filled in has a star behind its label.
    const inField = (name: string) => form.getByLabel(new RegExp(`^${name}(?: \\*)?$`));
    const fill = (name: string, text: string) => inField(name).fill(text);
    await fill('Name', label);
    for (const [name, text] of Object.entries(fields)) await fill(name, text);
    expect(await seriousFindings(page)).toEqual([]);
    const [field, text, said] = wrong;
    await fill(field, text);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(said, { exact: true }).waitFor();
    expect(await inField(field).getAttribute('aria-invalid')).toBe('true');
    await fill(field, fields[field] ?? '');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const stored = async () => (await fixture.api.call('list_connections', {})).find(({ name }) => name === label);
    expect(await stored()).toMatchObject({ type: 'SPARK', payload });

    await page.getByRole('button', { name: `More of ${label}` }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await fill('Idle minutes before the cluster is deleted', '45');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ type: 'SPARK', payload: { ...payload, idle_minutes: 45 } });
  });
});
