// SPDX-License-Identifier: Apache-2.0
/** Every operation of the observability service as a method. The build of the package writes the methods out, with what the contract says of each. */
import type { OperationRow } from '../http/operation.ts';
import type { RequestOptions } from '../http/request-options.ts';
import type { OperationId, RequestOf, ResultOf } from '../observability/request.ts';
import { observabilityOperations } from './observability-operations.generated.ts';

/** Named after its operation: `list_tenants` is `listTenants`. An upload has a method of the client's own. */
export type ObservabilityMethods = { readonly [Id in Exclude<OperationId, 'create_upload'> as MethodName<Id>]: Method<Id> };

type MethodName<Id extends string> = Id extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<MethodName<Rest>>}` : Id;

type Method<Id extends OperationId> = [keyof RequestOf<Id>] extends [never]
  ? (options?: RequestOptions) => Promise<ResultOf<Id>>
  : Record<never, never> extends RequestOf<Id>
    ? (request?: RequestOf<Id>, options?: RequestOptions) => Promise<ResultOf<Id>>
    : (request: RequestOf<Id>, options?: RequestOptions) => Promise<ResultOf<Id>>;

/** What the methods are made of; the client that extends them has it. */
type Caller = { call(id: string, request: object, options?: RequestOptions): Promise<unknown> };

/** The compiler cannot follow the loop that adds the methods. */
export const ObservabilityMethods = classOfMethods() as unknown as abstract new () => ObservabilityMethods;

function classOfMethods(): object {
  class WithMethods {}
  for (const [id, row] of Object.entries<OperationRow>(observabilityOperations)) {
    if (row.sends !== undefined) continue;
    const name = id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    Object.defineProperty(WithMethods.prototype, name, { value: methodOf(id, row), writable: true, configurable: true });
  }
  return WithMethods;
}

function methodOf(id: string, { path, takesBody, takesQuery }: OperationRow) {
  // Paths below the tenant have it from the client.
  const takesRequest = takesBody || takesQuery || /\{(?!tenant\})/.test(path);
  if (!takesRequest) {
    return function (this: Caller, options?: RequestOptions) {
      return this.call(id, {}, options);
    };
  }
  return function (this: Caller, request: object = {}, options?: RequestOptions) {
    return this.call(id, request, options);
  };
}
