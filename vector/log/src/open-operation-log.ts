// SPDX-License-Identifier: Apache-2.0
/** Opens the log that a URL names. */
import type { Clock } from '@sextant/foundation-std';
import { natsPlaceOf } from './nats-place.ts';
import type { OperationLog } from './operation-log.ts';

type Kind = 'postgresql' | 'nats' | 'memory';

/** For one process that is thrown away: its log ends with it, and no later one takes what its data directory has. */
const MEMORY_URL = 'memory:';

/** What a URL of a log looks like, to follow "expected". */
export const LOG_URLS = 'postgresql://user:password@host/database or nats://user:password@host:4222/stream?replicas=3';

/** Whether a text is a URL of a log; whether there is one is found out by opening it. */
export function isLogUrl(url: string): boolean {
  return kindOf(url) !== undefined;
}

/** Whether the log ends with its process, which leaves a data directory that no later process opens. */
export function isThrowawayLog(url: string): boolean {
  return url === MEMORY_URL;
}

/** The driver is loaded with the first log of its kind. */
export async function openOperationLog(place: { readonly url: string; readonly clock: Clock }): Promise<OperationLog> {
  switch (kindOf(place.url)) {
    case 'postgresql': {
      const { openPostgresLog } = await import('./postgres-log.ts');
      return openPostgresLog(place);
    }
    case 'nats': {
      const { openNatsLog } = await import('./nats-log.ts');
      return openNatsLog(place);
    }
    case 'memory': {
      const { ThrowawayLog } = await import('./memory-log.ts');
      return new ThrowawayLog(place.clock);
    }
    case undefined:
      throw new Error(`the URL is not that of a log; expected ${LOG_URLS}`);
  }
}

function kindOf(url: string): Kind | undefined {
  if (isThrowawayLog(url)) return 'memory';
  if (natsPlaceOf(url) !== undefined) return 'nats';
  return ['postgres:', 'postgresql:'].includes(URL.parse(url)?.protocol ?? '') ? 'postgresql' : undefined;
}
