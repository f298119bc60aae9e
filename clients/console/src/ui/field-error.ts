import { ApiError } from '@sextant/sdk';

/** What the service says is wrong with one field of a form, in its words and without the field's name before them. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError) || error.field !== field) return undefined;
  const prefix = `${field}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}

/** The same of a field that stands for a member and all that is in it: what is said of `tags[2]` is said at `tags`, with the place in it. */
export function memberError(error: unknown, member: string): string | undefined {
  const own = fieldError(error, member);
  if (own !== undefined || !(error instanceof ApiError) || error.field === undefined) return own;
  const { field, message } = error;
  if (!field.startsWith(`${member}.`) && !field.startsWith(`${member}[`)) return undefined;
  return message.startsWith(member) ? message.slice(member.length).replace(/^\./, '') : message;
}
