/** Bodies of clients that speak another revision of the API family: other names of members, and members that mean nothing here. */
import { IGNORED_MEMBERS, MEMBER_ALIASES, ServiceError, type UnknownMembers } from '@sextant/contracts-vector';
import { type UnknownMember, unknownMembers } from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';

/** In a filter a member that is left out would let more points through, so an unknown one is always refused. */
const IN_FILTER = /(?:^|\.)(?:filter|update_filter|corpus)(?:\.|\[)/;

/** Gives members the names that the schemas know them by, in place. */
export function renameAliases(operation: string, body: unknown): void {
  const aliases = MEMBER_ALIASES[operation];
  if (aliases === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const members = body as { [name: string]: unknown };
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(members, alias)) continue;
    if (Object.hasOwn(members, name)) {
      throw new ServiceError('invalid_request', { reason: `${alias}: it is another name of ${name}; give one of the two` });
    }
    members[name] = members[alias];
    delete members[alias];
  }
}

/** Takes members out that are to be ignored, in place; to be asked of a body that does not fit. @returns whether there were any */
export function dropUnknownMembers(
  operation: string,
  { schema, body, mode }: { schema: TSchema; body: unknown; mode: UnknownMembers },
): boolean {
  const listed = IGNORED_MEMBERS[operation] ?? [];
  if (mode === 'refuse' || (mode === 'known' && listed.length === 0)) return false;
  const dropped = unknownOf(schema, body).filter(({ path }) => listed.includes(path) || (mode === 'ignore' && !IN_FILTER.test(path)));
  // Owners are objects of a parsed body.
  for (const { owner, name } of dropped) delete (owner as { [name: string]: unknown })[name];
  return dropped.length > 0;
}

/** None of a body that is nested more deeply than the stack, which is refused for that. */
function unknownOf(schema: TSchema, body: unknown): readonly UnknownMember[] {
  try {
    return unknownMembers(schema, body);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}
