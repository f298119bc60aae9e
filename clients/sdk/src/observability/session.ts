// SPDX-License-Identifier: Apache-2.0
/** A signed-in user: an access token, and the refresh token that gets the next one. */
import type { Token } from '../contract/observability-types.ts';

export type Session = {
  readonly accessToken: string;
  /** Undefined where a cookie holds it. */
  readonly refreshToken: string | undefined;
  /** Gets a new access token in place of one that is refused. */
  renew(refused: string): Promise<void>;
};

/** Gets the next token for what is held of the last one: its refresh token, or nothing where that is in a cookie. */
export type Exchange = (refreshToken: string | undefined) => Promise<Token>;

/** A refresh token is used up by its use, so calls that are refused together wait for one renewal. */
export function openSession(first: Token, exchange: Exchange): Session {
  let token = first;
  let renewal: Promise<void> | undefined;

  async function renewOnce(): Promise<void> {
    token = await exchange(token.refresh_token);
  }

  return {
    get accessToken() {
      return token.access_token;
    },
    get refreshToken() {
      return token.refresh_token;
    },
    async renew(refused) {
      // Another call has renewed it meanwhile.
      if (refused !== token.access_token) return;
      renewal ??= renewOnce().finally(() => {
        renewal = undefined;
      });
      await renewal;
    },
  };
}
