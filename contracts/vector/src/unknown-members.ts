// SPDX-License-Identifier: Apache-2.0
/** Bodies of clients that speak another revision of the API family: members that mean nothing here. */
import { type UnknownMember, unknownMembers } from '@sextant/foundation-contract';
import type { TSchema } from 'typebox';
import { IGNORED_MEMBERS, type UnknownMembers } from './other-revisions.ts';

/** In a filter a member that is left out would let more points through, so an unknown one is always refused. */
const IN_FILTER = /(?:^|\.)(?:filter|update_filter|corpus)(?:\.|\[)/;

/** Removes members that are to be ignored from a body that does not fit, in place. @returns whether there were any */
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
