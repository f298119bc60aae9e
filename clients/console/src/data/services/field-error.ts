// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@sextant/sdk';

/** What the service says is wrong with one field of a form, in its words and without the field's name before them. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError) || error.field !== field) return undefined;
  const prefix = [`${field}: `, `${field} `].find((each) => error.message.startsWith(each));
  return error.message.slice(prefix?.length ?? 0);
}

/** The same of a field that stands for a member and all that is in it: what is said of `tags[2]` is said at `tags`, with the place in it. */
export function memberError(error: unknown, member: string): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  // What holds of several members together is said of the body, and the place follows.
  const said = error.message.replace(/^body: /, '');
  if (!said.startsWith(member)) return fieldError(error, member);
  const rest = said.slice(member.length);
  if (rest.startsWith(': ')) return rest.slice(2);
  return /^[.[]/.test(rest) ? rest.replace(/^\./, '') : undefined;
}
