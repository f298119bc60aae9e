// SPDX-License-Identifier: Apache-2.0
/** An access token for a service account: https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { SourceError } from '../../connector.ts';
import type { ProviderTools } from './cluster.ts';
import { answerOf, refusedBy, requiredAnswer } from './provider-answers.ts';

export type ServiceAccount = { readonly email: string; readonly key: KeyObject };

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFE_SECONDS = 3600;
/** A token is renewed while it is still good. */
const RENEW_MS = 45 * 60_000;

/** Keys that were copied out of their JSON have their line ends spelled. @throws SourceError */
export function privateKeyOf(text: string): KeyObject {
  try {
    return createPrivateKey(text.replaceAll('\\n', '\n'));
  } catch (cause) {
    const member = 'credential.payload.private_key';
    throw new SourceError(`${member} is not a private key in PEM`, { cause, member });
  }
}

/** Kept for as long as it is good. */
export function googleToken(
  url: string,
  account: ServiceAccount,
  { calls, clock }: ProviderTools,
): (signal: AbortSignal) => Promise<string> {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  return async (signal) => {
    if (kept !== undefined && clock.nowMs() < kept.untilMs) return kept.token;
    const seconds = Math.floor(clock.nowMs() / 1000);
    // The audience is Google's, wherever the request goes.
    const claims = { iss: account.email, scope: SCOPE, aud: GOOGLE_TOKENS, iat: seconds, exp: seconds + LIFE_SECONDS };
    const head = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`;
    const assertion = `${head}.${sign('sha256', Buffer.from(head), account.key).toString('base64url')}`;
    const body = new URLSearchParams({ grant_type: GRANT, assertion }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await calls({ url, method: 'POST', headers, body, provider: 'Google', signal });
    // Who is not known, or whose key is not theirs, is answered with 400 `invalid_grant`.
    if (reply.status !== 200) throw refusedBy({ ...reply, status: 401 }, { provider: 'Google', asked: 'give a token' });
    const token = requiredAnswer(answerOf(reply.body), 'access_token', 'Google');
    kept = { token, untilMs: clock.nowMs() + RENEW_MS };
    return token;
  };
}

export const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token';

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
