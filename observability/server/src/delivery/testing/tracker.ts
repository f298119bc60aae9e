// SPDX-License-Identifier: Apache-2.0
/** A tracker of ours that speaks the REST API v2 of everybody's, as far as the service asks it. */
import type { ServerResponse } from 'node:http';
import { openReceiver, type Received, type Receiver } from './receiver.ts';

export type Issue = {
  readonly key: string;
  readonly fields: { readonly [field: string]: unknown };
  readonly comments: string[];
  status: string;
};

export type TestTracker = AsyncDisposable & {
  readonly url: string;
  readonly requests: Received[];
  readonly issues: Issue[];
  /** Answers in the tracker's place where it returns true; `afterwards` is what the tracker itself would do. */
  intercept: (request: Received, response: ServerResponse, afterwards: () => void) => boolean;
};

export const TOKEN = 'tracker-token';
const PROJECT = '10000';

export async function openTracker(): Promise<TestTracker> {
  const receiver: Receiver = await openReceiver();
  const issues: Issue[] = [];
  const find = (path: string) => issues.find(({ key }) => path.startsWith(`/rest/api/2/issue/${key}`));
  const route = ({ method, path, text }: Received): readonly [status: number, body: unknown] => {
    const url = new URL(path, receiver.url);
    if (url.pathname === '/rest/api/2/myself') return [200, { displayName: 'Ada' }];
    if (url.pathname === '/rest/api/2/search') {
      const jql = url.searchParams.get('jql') ?? '';
      if (jql.startsWith('key in (')) return searchKeys(issues, jql);
      const label = /^labels = "([^"]+)"$/.exec(jql)?.[1];
      return [200, { issues: issues.filter(({ fields }) => (fields.labels as readonly string[]).includes(label ?? '')) }];
    }
    if (method === 'POST' && url.pathname === '/rest/api/2/issue') return createIssue(issues, text);
    const issue = find(url.pathname);
    if (issue === undefined) return [404, { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} }];
    if (!url.pathname.endsWith('/comment')) return [200, { key: issue.key, fields: { status: { name: issue.status } } }];
    if (method === 'GET') return [200, { comments: issue.comments.map((body) => ({ body })) }];
    issue.comments.push((JSON.parse(text) as { body: string }).body);
    return [201, { id: '1' }];
  };
  const tracker: TestTracker = {
    url: receiver.url,
    requests: receiver.received,
    issues,
    intercept: () => false,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  receiver.answer = (response, request) => {
    const work = () => {
      const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
      return isKnown ? route(request) : ([401, { errorMessages: ['Client must be authenticated.'], errors: {} }] as const);
    };
    if (tracker.intercept(request, response, () => void work())) return;
    const [status, body] = work();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  return tracker;
}

/** One key that it does not know makes it refuse the whole search. */
function searchKeys(issues: readonly Issue[], jql: string): readonly [status: number, body: unknown] {
  const keys = [...jql.matchAll(/"([^"]+)"/g)].map(([, key = '']) => key);
  const unknown = keys.find((key) => !issues.some((issue) => issue.key === key));
  if (unknown !== undefined)
    return [400, { errorMessages: [`An issue with key '${unknown}' does not exist for field 'key'.`], errors: {} }];
  const found = issues.filter(({ key }) => keys.includes(key));
  return [200, { issues: found.map(({ key, status }) => ({ key, fields: { status: { name: status } } })) }];
}

function createIssue(issues: Issue[], text: string): readonly [status: number, body: unknown] {
  const { fields } = JSON.parse(text) as { fields: { [field: string]: unknown; project: { id: string } } };
  if (fields.project.id !== PROJECT) return [400, { errorMessages: [], errors: { project: 'valid project is required' } }];
  if (fields.priority === 'none') return [400, { errorMessages: [], errors: { priority: 'Priority name is not valid' } }];
  const key = `OPS-${issues.length + 1}`;
  issues.push({ key, fields, comments: [], status: 'To Do' });
  return [201, { id: String(issues.length), key }];
}
