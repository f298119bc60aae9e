// SPDX-License-Identifier: Apache-2.0
/** The limits of logins of one process, or of all processes of a database. */
import { LOGIN_WINDOW_MS, type LoginAttempt, LoginLimiter, loginCosts } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { SpentTimes } from '@sextant/observability-metadata';

export type LoginLimits = {
  /** Takes an attempt; 0 when there was one, otherwise the seconds until there is. */
  readonly take: (attempt: LoginAttempt) => Promise<number>;
  /** Releases an attempt once its password was right. */
  readonly release: (attempt: LoginAttempt) => Promise<void>;
};

/**
 * @param shared what all processes have spent. Who has none left in this process is not looked up there, so that a flood of attempts costs the
 * database no more than the limit of each process.
 */
export function loginLimits(clock: Clock, shared: SpentTimes | undefined): LoginLimits {
  const own = new LoginLimiter(clock);
  return {
    take: async (attempt) => {
      const seconds = own.take(attempt);
      if (seconds > 0 || shared === undefined) return seconds;
      return Math.ceil((await shared.take(loginCosts(attempt), LOGIN_WINDOW_MS)) / 1000);
    },
    release: async (attempt) => {
      own.release(attempt);
      await shared?.release(loginCosts(attempt));
    },
  };
}
