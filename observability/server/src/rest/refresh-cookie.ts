// SPDX-License-Identifier: Apache-2.0
/**
 * The refresh token of a page, in a cookie that no script reads. It is sent to the token endpoints alone (`Path`), by pages of the same site
 * alone (`SameSite=Strict`), and taken from consoles alone, since another port of the same host is the same site.
 */
import { ApiError, type OperationId } from '@sextant/contracts-observability';
import type { WebAccess } from '@sextant/foundation-service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFRESH_TOKEN_LIFETIME_SECONDS } from '../auth/refresh-token.ts';

export type RefreshCookieOptions = {
  /** Of this service alone, for the services of one host share their cookies, whatever their ports. */
  readonly name: string;
  readonly consoleOrigin: WebAccess['consoleOrigin'];
};

type Body = { readonly grant_type?: string; readonly refresh_token?: string; readonly refresh_token_in?: 'body' | 'cookie' };

export const COOKIE_OPERATIONS: readonly OperationId[] = ['get_token', 'revoke_token'];
/** What the path of an operation has behind that of the cookie. */
const REVOKE_STEP = /\/revoke$/;

export class RefreshCookie {
  readonly #options: RefreshCookieOptions;

  constructor(options: RefreshCookieOptions) {
    this.#options = options;
  }

  /** The body of one of the operations above with the token of the cookie in it, where it asks for that. @throws ApiError `origin_not_known` */
  fill(request: FastifyRequest, body: Body): Body {
    if (body.refresh_token_in !== 'cookie') return body;
    if (this.#options.consoleOrigin(request.headers) === undefined) {
      throw new ApiError('origin_not_known', { origin: request.headers.origin?.slice(0, 300) ?? 'no page' });
    }
    return body.grant_type === 'password' ? body : { ...body, refresh_token: this.#read(request) ?? '' };
  }

  /** What is left of an answer once its refresh token, or the end of one, is in the cookie. */
  keep(request: FastifyRequest, reply: FastifyReply, { refresh_token_in }: Body, answer: object): object {
    if (refresh_token_in !== 'cookie') return answer;
    const { refresh_token: token, ...rest } = answer as { readonly refresh_token?: string };
    void reply.header('set-cookie', this.#written(request, token));
    return rest;
  }

  #read({ headers }: FastifyRequest): string | undefined {
    const prefix = `${this.#options.name}=`;
    const pairs = headers.cookie?.split(';').map((pair) => pair.trim());
    return pairs?.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  }

  /** Without a token, the cookie ends. A page that came by https reached the service by https too, or its browser would send no cookie. */
  #written(request: FastifyRequest, token: string | undefined): string {
    const isEncrypted = this.#options.consoleOrigin(request.headers)?.startsWith('https:') === true;
    const path = (request.routeOptions.url ?? '/').replace(REVOKE_STEP, '');
    return [
      `${this.#options.name}=${token ?? ''}`,
      `Path=${path}`,
      `Max-Age=${token === undefined ? 0 : REFRESH_TOKEN_LIFETIME_SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(isEncrypted ? ['Secure'] : []),
    ].join('; ');
  }
}
