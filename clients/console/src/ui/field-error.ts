import { ApiError } from '@sextant/sdk';

/** What the service says is wrong with one field of a form, in its words and without the field's name before them. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError) || error.field !== field) return undefined;
  const prefix = `${field}: `;
  return error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
}
