// SPDX-License-Identifier: Apache-2.0
/** Addresses of object stores as operators write them, with credentials from the variables that the stores' own tools read. */
import { readFile } from 'node:fs/promises';
import type { OpenConnection } from './connector.ts';

export type StoreAddress = Pick<OpenConnection, 'type' | 'payload' | 'credential'>;

export type StoreLocation = {
  readonly address: StoreAddress;
  /** Before the keys of all that is kept there: empty, or with a slash at its end. */
  readonly prefix: string;
  /** As it was given; there are no secrets in it. */
  readonly shown: string;
};

export class StoreLocationError extends Error {
  override readonly name = 'StoreLocationError';
  /** What would be right. */
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

type Environment = { readonly [name: string]: string | undefined };

const SCHEME = /^(s3|gs|azure):\/\//;
export const STORE_FORMS = 's3://bucket/prefix, gs://bucket/prefix or azure://account/container/prefix';

/** Whether a text is meant as the address of a store. */
export function isStoreAddress(text: string): boolean {
  return SCHEME.test(text);
}

const KEY_FILE = 'Set it to the JSON key file of a service account.';

/**
 * Undefined for what is no address of a store, such as a folder.
 *
 * @throws StoreLocationError
 */
export async function storeLocation(text: string, environment: Environment): Promise<StoreLocation | undefined> {
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme === undefined) return undefined;
  const steps = text
    .replace(SCHEME, '')
    .split('/')
    .filter((step) => step !== '');
  const [account = '', ...rest] = steps;
  const [bucket, path] = scheme === 'azure' ? [rest[0], rest.slice(1)] : [account, rest];
  if (bucket === undefined || bucket === '') throw new StoreLocationError(`${text} contains no bucket`, `Write ${STORE_FORMS}.`);
  const prefix = path.map((step) => `${step}/`).join('');
  switch (scheme) {
    case 's3':
      return { address: s3Address(bucket, environment), prefix, shown: text };
    case 'gs':
      return { address: await gcsAddress(bucket, environment), prefix, shown: text };
    default:
      return { address: azureAddress(account, bucket, environment), prefix, shown: text };
  }
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html */
function s3Address(bucket: string, environment: Environment): StoreAddress {
  const endpoint = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL;
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  const session = environment.AWS_SESSION_TOKEN;
  return {
    type: 'S3',
    payload: { bucket, ...(endpoint && { endpoint }), ...(region && { region }) },
    credential: {
      type: 'AWS',
      payload: {
        access_key: needed('AWS_ACCESS_KEY_ID', environment),
        secret_key: needed('AWS_SECRET_ACCESS_KEY', environment),
        ...(session && { session_token: session }),
      },
    },
  };
}

/** https://cloud.google.com/docs/authentication/application-default-credentials; an emulator asks for no credential. */
async function gcsAddress(bucket: string, environment: Environment): Promise<StoreAddress> {
  const emulator = environment.STORAGE_EMULATOR_HOST;
  if (emulator) return { type: 'GCS', payload: { bucket, api_endpoint: emulator }, credential: null };
  const path = needed('GOOGLE_APPLICATION_CREDENTIALS', environment);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new StoreLocationError(`the file of GOOGLE_APPLICATION_CREDENTIALS cannot be read: ${path}`, KEY_FILE, { cause });
  });
  let key: unknown;
  try {
    key = JSON.parse(text);
  } catch (cause) {
    throw new StoreLocationError(`the file of GOOGLE_APPLICATION_CREDENTIALS is not valid JSON: ${path}`, KEY_FILE, { cause });
  }
  return {
    type: 'GCS',
    payload: { bucket },
    credential: { type: 'GCP', payload: typeof key === 'object' && key !== null ? { ...key } : {} },
  };
}

/** https://learn.microsoft.com/cli/azure/azure-cli-configuration lists the variables of its tool. */
function azureAddress(account: string, container: string, environment: Environment): StoreAddress {
  const endpoint = environment.AZURE_STORAGE_SERVICE_ENDPOINT;
  return {
    type: 'AZURE',
    payload: { storage_account: account, bucket: container, ...(endpoint && { endpoint }) },
    credential: { type: 'AZURE_SAS', payload: { sas_key: needed('AZURE_STORAGE_SAS_TOKEN', environment) } },
  };
}

function needed(name: string, environment: Environment): string {
  const value = environment[name];
  if (value) return value;
  throw new StoreLocationError(`the object store needs ${name}`, `Set ${name} in the environment.`);
}
