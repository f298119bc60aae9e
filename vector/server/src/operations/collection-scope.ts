// SPDX-License-Identifier: Apache-2.0
/**
 * What access tokens that are limited to some collections may do. A request counts by every collection that it names, in its path and where it looks
 * vectors or payloads up elsewhere. A listed alias stays allowed wherever it leads, so that a collection can be exchanged under it.
 */
import { type Endpoint, type OperationId, ServiceError } from '@sextant/contracts-vector';
import { endpoints, isOperationId } from '@sextant/contracts-vector/schemas';
import type { EngineReads } from '@sextant/vector-collection';
import type { Principal } from '../auth/auth.ts';
import type { Input } from './operation.ts';

type Names = { has(name: string): boolean };

/** Operations that name no collection, and tell such a token only of its own. */
const TELL_OF_THEIR_OWN: ReadonlySet<string> = new Set<OperationId>(['list_collections', 'list_aliases']);

/** Names that a caller is limited to; undefined where it is not. */
export function scopeOf(principal: Principal): Names | undefined {
  return principal.kind === 'token' && principal.collections !== undefined ? new Set(principal.collections) : undefined;
}

/** For what is about the whole service. @throws ServiceError `forbidden` */
export function requireUnlimited(principal: Principal): void {
  if (scopeOf(principal) !== undefined) forbid('this operation affects all collections');
}

/** @throws ServiceError `forbidden`, whether or not there is a collection of such a name */
export async function checkScope(operation: string, input: Input<never>, engine: Pick<EngineReads, 'listAliases'>): Promise<void> {
  const scope = scopeOf(input.principal);
  if (scope === undefined || TELL_OF_THEIR_OWN.has(operation)) return;
  const names = namesIn(operation, input);
  if (names.length === 0) requireUnlimited(input.principal);
  const allowed = await withAliases(scope, names, engine);
  for (const name of names) if (!allowed.has(name)) forbid(`${JSON.stringify(name)} is none of them`);
}

/** The names of a scope, and aliases of the collections in it. */
export async function withAliases(scope: Names, names: readonly string[], engine: Pick<EngineReads, 'listAliases'>): Promise<Names> {
  if (names.every((name) => scope.has(name))) return scope;
  const aliases = await engine.listAliases();
  const others = new Set(aliases.filter(({ collection_name: name }) => scope.has(name)).map(({ alias_name: alias }) => alias));
  return { has: (name) => scope.has(name) || others.has(name) };
}

function namesIn(operation: string, { params, body }: Input<never>): readonly string[] {
  const { collection_name: named } = params as { readonly collection_name?: string };
  if (operation === 'recover_snapshot' && isFile(body))
    forbid('a file may hold any of them; recover from a URL, or from a snapshot by its name');
  if (named === undefined) return [];
  const endpoint: Endpoint | undefined = isOperationId(operation) ? endpoints[operation] : undefined;
  // Payloads that are written may have members of any name.
  return endpoint?.thread === 'serving' ? [named, ...lookedUp(body)] : [named];
}

/** Files of snapshots lie in one folder for all collections. */
function isFile(body: unknown): boolean {
  const { location = '' } = body as { readonly location?: string };
  return !/^https?:/i.test(location);
}

/** Collections in which a search looks something up; the schemas of searches have let it through. */
function lookedUp(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return [];
  if (Array.isArray(body) && typeof body[0] === 'number') return [];
  return Object.entries(body).flatMap(([member, value]: [string, unknown]) => {
    if (member === 'with_lookup' && typeof value === 'string') return [value];
    const isLookup = member === 'lookup_from' || member === 'with_lookup';
    return isLookup && hasCollection(value) ? [value.collection] : lookedUp(value);
  });
}

function hasCollection(value: unknown): value is { readonly collection: string } {
  return typeof value === 'object' && value !== null && 'collection' in value && typeof value.collection === 'string';
}

function forbid(reason: string): never {
  throw new ServiceError('forbidden', { reason: `This access token is limited to some collections, and ${reason}` });
}
