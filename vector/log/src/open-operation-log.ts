/** Opens the log that a URL names. */
import type { Clock } from '@sextant/foundation-std';
import type { OperationLog } from './operation-log.ts';

export const LOG_PROTOCOLS = ['postgres:', 'postgresql:'] as const;

/** The driver is loaded with the first log of its kind. */
export async function openOperationLog({ url, clock }: { readonly url: string; readonly clock: Clock }): Promise<OperationLog> {
  const { protocol } = new URL(url);
  switch (protocol) {
    case 'postgres:':
    case 'postgresql:': {
      const { openPostgresLog } = await import('./postgres-log.ts');
      return openPostgresLog({ url, clock });
    }
    default:
      throw new Error(`${protocol} names no log; expected one of ${LOG_PROTOCOLS.join(', ')}`);
  }
}
