// SPDX-License-Identifier: Apache-2.0
/** A client of the tracker: REST API v2, https://developer.atlassian.com/cloud/jira/platform/rest/v2/ */
import type { OutboundReply } from '@sextant/foundation-service';
import { exchange, isSuccess, type Wire } from '../exchange.ts';
import { DeliveryFailure } from '../failure.ts';
import { TrackerRefusal, trackerRefusal } from './refusal.ts';

export type TrackerAccess = {
  /** With the path below which the tracker answers, if it has one. */
  readonly base_url: string;
  /** With an e-mail address the token is a password, without one a bearer token. */
  readonly email: string | null;
  readonly api_token: string;
};

export type IssueFields = { readonly [field: string]: unknown };

/** Every method throws a DeliveryFailure when the tracker refuses or does not answer. */
export type Tracker = {
  /** Whom the credential belongs to. */
  readonly whoAmI: () => Promise<string>;
  /** The key of the issue that carries a label. */
  readonly findByLabel: (label: string) => Promise<string | undefined>;
  /** Answers the key. */
  readonly create: (fields: IssueFields) => Promise<string>;
  /** The names of the statuses of those issues that one search finds; the tracker says of each other one alone what is wrong with it. */
  readonly statuses: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The name of the issue's status. */
  readonly status: (key: string) => Promise<string>;
  /** Whether one of the newest comments holds the text. */
  readonly hasComment: (key: string, text: string) => Promise<boolean>;
  readonly comment: (key: string, body: string) => Promise<void>;
  /** Where people read the issue. */
  readonly browseUrl: (key: string) => string;
};

const COMMENTS_READ = 50;
const KEY = /^[A-Za-z][A-Za-z0-9_]*-[0-9]+$/;

type Json = { readonly [member: string]: unknown };
type Request = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown };

export function createTracker(wire: Wire, { base_url, email, api_token }: TrackerAccess): Tracker {
  const base = base_url.replace(/\/+$/, '');
  const authorization = email === null ? `Bearer ${api_token}` : `Basic ${Buffer.from(`${email}:${api_token}`, 'utf8').toString('base64')}`;
  const send = ({ method, path, body }: Request): Promise<OutboundReply> =>
    exchange(wire, {
      url: `${base}/rest/api/2${path}`,
      method,
      headers: { authorization, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const call = async (request: Request): Promise<Json> => {
    const reply = await send(request);
    if (!isSuccess(reply)) throw trackerRefusal(reply, wire.clock);
    return readObject(reply);
  };

  /** The cloud edition has withdrawn `search` for `search/jql`, https://developer.atlassian.com/changelog/#CHANGE-2046; the others know only the first. */
  const search = async (jql: string, maxResults: number): Promise<readonly unknown[]> => {
    const query = new URLSearchParams({ jql, fields: 'status', maxResults: String(maxResults) });
    const reply = await send({ method: 'GET', path: `/search?${query}` });
    if (isSuccess(reply)) return issuesOf(readObject(reply));
    if (reply.status === 404 || reply.status === 410) return issuesOf(await call({ method: 'GET', path: `/search/jql?${query}` }));
    throw trackerRefusal(reply, wire.clock);
  };

  return {
    whoAmI: async () => {
      const { displayName, name } = await call({ method: 'GET', path: '/myself' });
      return [displayName, name].find((each) => typeof each === 'string') ?? 'an unnamed user';
    },
    findByLabel: async (label) => {
      const [first] = await search(`labels = "${label}"`, 1);
      return first === undefined ? undefined : keyOf(first);
    },
    create: async (fields) => keyOf(await call({ method: 'POST', path: '/issue', body: { fields } })),
    statuses: async (keys) => {
      try {
        const issues = await search(`key in (${keys.map((key) => `"${key}"`).join(', ')})`, keys.length);
        return new Map(issues.map((issue) => [keyOf(issue), statusOf(issue)]));
      } catch (error) {
        // One key that it does not know makes it refuse the whole search.
        if (error instanceof TrackerRefusal && error.status === 400) return new Map();
        throw error;
      }
    },
    status: async (key) => statusOf(await call({ method: 'GET', path: `/issue/${encodeURIComponent(key)}?fields=status` })),
    hasComment: async (key, text) => {
      const query = new URLSearchParams({ orderBy: '-created', maxResults: String(COMMENTS_READ) });
      const { comments } = await call({ method: 'GET', path: `/issue/${encodeURIComponent(key)}/comment?${query}` });
      return Array.isArray(comments) && comments.some((comment) => String(member(comment, 'body')).includes(text));
    },
    comment: async (key, body) => {
      await call({ method: 'POST', path: `/issue/${encodeURIComponent(key)}/comment`, body: { body } });
    },
    browseUrl: (key) => `${base}/browse/${encodeURIComponent(key)}`,
  };
}

function issuesOf({ issues }: Json): readonly unknown[] {
  return Array.isArray(issues) ? issues : [];
}

function statusOf(issue: unknown): string {
  const name = member(member(member(issue, 'fields'), 'status'), 'name');
  if (typeof name === 'string') return name;
  throw new DeliveryFailure('the tracker returned an issue without a status');
}

function keyOf(issue: unknown): string {
  const key = member(issue, 'key');
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw new DeliveryFailure('the tracker returned an issue without a key');
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;
}

function readObject({ body }: OutboundReply): Json {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Said below: the address leads to something that is no tracker, such as a page to log in.
  }
  throw new DeliveryFailure('the tracker returned a response that is not a JSON object; check that base_url is its address', {
    isPermanent: true,
  });
}
