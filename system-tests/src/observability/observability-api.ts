// SPDX-License-Identifier: Apache-2.0
/**
 * The REST contract as functions: an operation's id, its path parameters, its query and body, checked by the compiler against the endpoint
 * table. Every answer is checked against its schema, so that each test is also one of the wire. A reply other than 200 is thrown.
 */
import {
  type BodyOf,
  endpoints,
  type OperationId,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
  validate,
} from '@sextant/contracts-observability';
import type { JsonClient } from '@sextant/foundation-testing';
import { RequestError } from '../vector-api.ts';

export type TenantUser = { readonly tenant: string; readonly email: string; readonly password: string };

export type Headers = { readonly [name: string]: string };

/** The tenant is the API's own; numbers are written as people do. */
export type PathParams<Id extends OperationId> = { readonly [Name in Exclude<keyof ParamsOf<Id>, 'tenant'>]: string | number };

export type Input<Id extends OperationId> = {
  readonly query?: QueryOf<Id>;
  /** Bytes are sent as they are. */
  readonly body?: Constant<BodyOf<Id>> | Uint8Array;
};

/** What may be frozen: a sender changes nothing. */
type Constant<Value> = Value extends readonly (infer Item)[]
  ? readonly Constant<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Constant<Value[Name]> }
    : Value;

export type ObservabilityApi = {
  readonly tenant: string;
  readonly headers: Headers;
  readonly client: JsonClient;
  readonly call: <Id extends OperationId>(id: Id, params: PathParams<Id>, input?: Input<Id>) => Promise<ResultOf<Id>>;
};

export function observabilityApi(
  client: JsonClient,
  { tenant, headers }: { readonly tenant: string; readonly headers: Headers },
): ObservabilityApi {
  return {
    tenant,
    headers,
    client,
    call: async (id, params, { query, body } = {}) => {
      const { method, path: template, result } = endpoints[id];
      const path = pathOf(template, { ...params, tenant }) + queryOf(query);
      const reply = await client.request(method, path, body, { headers });
      if (reply.status !== 200) throw new RequestError(`${method} ${path}`, reply.status, reply.body);
      validate(result, reply.body, `the answer of ${id}`);
      // Just checked; the compiler does not see that the schema is that of this operation.
      return reply.body as ResultOf<typeof id>;
    },
  };
}

/** The path of an operation with its parameters in place. */
export function pathOf(template: string, params: { readonly [name: string]: string | number }): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new RangeError(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: object | undefined): string {
  const text = new URLSearchParams(Object.entries(query ?? {})).toString();
  return text === '' ? '' : `?${text}`;
}

/** The headers of a user who gives name and password. */
export async function logIn(client: JsonClient, { tenant, email, password }: TenantUser): Promise<Headers> {
  const anonymous = observabilityApi(client, { tenant, headers: {} });
  const token = await anonymous.call('get_token', {}, { body: { grant_type: 'password', username: email, password, tenant } });
  return { authorization: `Bearer ${token.access_token}` };
}
