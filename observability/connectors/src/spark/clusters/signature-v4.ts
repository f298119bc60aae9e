// SPDX-License-Identifier: Apache-2.0
/** Signature Version 4 of a request with a body: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
import { createHash, createHmac } from 'node:crypto';

export type AwsKeys = { readonly accessKey: string; readonly secretKey: string; readonly sessionToken: string | undefined };

export type RequestToSign = {
  readonly url: URL;
  /** All of them are signed; names in small letters. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  readonly region: string;
  readonly service: string;
  readonly nowMs: number;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The headers to send: those that were given, the time, the session and the signature. For a POST whose path and query need no escapes. */
export function signed({ url, headers, body, region, service, nowMs }: RequestToSign, keys: AwsKeys): { readonly [name: string]: string } {
  const time = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const session = keys.sessionToken === undefined ? {} : { 'x-amz-security-token': keys.sessionToken };
  const sent: { readonly [name: string]: string } = { ...headers, host: url.host, 'x-amz-date': time, ...session };
  const names = Object.keys(sent).toSorted();
  const list = names.join(';');
  const lines = names.map((name) => `${name}:${sent[name]?.trim()}`);
  const canonical = ['POST', url.pathname, url.search.slice(1), ...lines, '', list, sha256(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secretKey}`);
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex');
  return { ...sent, authorization: `${ALGORITHM} Credential=${keys.accessKey}/${scope}, SignedHeaders=${list}, Signature=${signature}` };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
