// SPDX-License-Identifier: Apache-2.0
/** Reads what a provider answers, which is outside data like any other, and says in words what it refuses. */
import { SourceError } from '../../connector.ts';
import type { ProviderReply } from './provider-calls.ts';

export type Answer = { readonly [member: string]: unknown };

const REASON_LENGTH_MAX = 400;

export function answerOf(value: unknown): Answer {
  // An object is a map of its members, which are unknown.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : {};
}

export function answersOf(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? value.map(answerOf) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The member that a request cannot go on without. @throws SourceError */
export function requiredAnswer(answer: Answer, member: string, provider: string): string {
  const text = textOf(answer[member]);
  if (text === undefined) throw new SourceError(`${provider} answered without ${member}`);
  return text;
}

/** A member of the configuration with the value that was sent for it. */
export type SentField = readonly [member: string, value: string | number | undefined];

export type Refusal = {
  readonly provider: string;
  /** What was asked, such as `create a cluster`. */
  readonly asked: string;
  readonly fields?: readonly SentField[];
};

/** The provider's reason, and the members whose values it names. */
export function refusedBy({ status, body }: ProviderReply, { provider, asked, fields = [] }: Refusal): SourceError {
  const reason = reasonOf(body);
  if (status === 401) {
    const why = reason === '' ? '' : `: ${reason}`;
    return new SourceError(`${provider} refused the credential${why}`, { member: 'credential', status });
  }
  return problemWith(`${provider} refused to ${asked} (${status})`, reason, fields);
}

/** A failure that a provider tells beside an answer, as the state of a cluster. */
export function problemWith(what: string, reason: string, fields: readonly SentField[]): SourceError {
  const cause = reason === '' ? '' : `: ${short(reason)}`;
  const named = fields.filter(([, value]) => value !== undefined && mentions(reason, String(value)));
  const [first] = named;
  const where =
    first === undefined ? '' : ` (see ${named.map(([member]) => member).join(', ')} of the Spark job configuration or the connection)`;
  return new SourceError(`${what}${cause}${where}`, first === undefined ? {} : { member: first[0] });
}

/** As a word of its own: `2` is not named by `n2-standard-4`. */
function mentions(reason: string, value: string): boolean {
  const at = reason.indexOf(value);
  if (at < 0 || value.length < 3) return false;
  return !/\w/.test(reason.charAt(at - 1)) && !/\w/.test(reason.charAt(at + value.length));
}

/** Google: `error.message`; AWS: `message` or `Message`; Databricks: `error_code` and `message`. */
function reasonOf(body: unknown): string {
  const answer = answerOf(body);
  const { message } = answerOf(answer.error);
  const code = textOf(answer.error_code) ?? textOf(answer.__type)?.replace(/^.*#/, '');
  const said = textOf(message) ?? textOf(answer.message) ?? textOf(answer.Message) ?? textOf(answer.error_description) ?? '';
  return [code, said].filter((part) => part !== undefined && part !== '').join(': ');
}

function short(reason: string): string {
  const line = reason.replace(/\s+/g, ' ').trim();
  return line.length <= REASON_LENGTH_MAX ? line : `${line.slice(0, REASON_LENGTH_MAX - 1).toWellFormed()}…`;
}
