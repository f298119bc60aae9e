// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  BlobServiceClient,
  generateAccountSASQueryParameters,
  SASProtocol,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { objectStoreConformance } from '../object-stores/object-store.conformance.ts';
import { azureStores } from './azure-store.ts';

const AZURITE = fileURLToPath(import.meta.resolve('azurite/dist/src/blob/main.js'));
/** Azurite loads its telemetry even if that is disabled, which takes more than half of its start. */
const WITHOUT_TELEMETRY =
  "data:text/javascript,import{registerHooks}from'node:module';registerHooks({resolve:(name,context,next)=>name==='applicationinsights'?{url:'node:util',shortCircuit:true}:next(name,context)})";
/** The account that every Azurite has, https://learn.microsoft.com/azure/storage/common/storage-connect-azurite. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

objectStoreConformance('Azure', {
  stores: azureStores,
  at: (payload, address) => ({ ...payload, endpoint: `${address}/${ACCOUNT}` }),
  start: async () => {
    const directory = await temporaryDirectory();
    const options = ['--blobPort', '0', '--blobHost', '127.0.0.1'];
    const azurite = spawn(process.execPath, [
      '--import',
      WITHOUT_TELEMETRY,
      AZURITE,
      ...options,
      '--inMemoryPersistence',
      '--silent',
      '--skipApiVersionCheck',
      '--disableTelemetry',
    ]);
    const endpoint = `${await announcedAddress(azurite)}/${ACCOUNT}`;
    const credential = new StorageSharedKeyCredential(ACCOUNT, KEY);
    const container = new BlobServiceClient(endpoint, credential).getContainerClient('orders-bucket');
    await container.create();
    return {
      payload: { storage_account: ACCOUNT, bucket: 'orders-bucket', endpoint },
      credential: { type: 'AZURE_SAS', payload: { sas_key: signature(credential, 'rwdlc') } },
      wrongCredential: { type: 'AZURE_SAS', payload: { sas_key: signature(credential, 'rwdlc').replace(/sig=[^&]{4}/, 'sig=AAAA') } },
      knowsVersions: true,
      put: async (key, bytes) => {
        await container.getBlockBlobClient(key).uploadData(bytes);
      },
      [Symbol.asyncDispose]: async () => {
        azurite.kill('SIGKILL');
        await once(azurite, 'close');
        await directory[Symbol.asyncDispose]();
      },
    };
  },
});

async function announcedAddress({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    const address = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Azurite did not start: ${said}`);
}

function signature(credential: StorageSharedKeyCredential, permissions: string): string {
  const options = {
    services: AccountSASServices.parse('b').toString(),
    resourceTypes: AccountSASResourceTypes.parse('sco').toString(),
    permissions: AccountSASPermissions.parse(permissions),
    protocol: SASProtocol.HttpsAndHttp,
    expiresOn: new Date('2099-01-01T00:00:00Z'),
  };
  return generateAccountSASQueryParameters(options, credential).toString();
}
