// SPDX-License-Identifier: Apache-2.0
import type { Figure } from '../metrics.ts';
import type { ServerTls } from './tls-reload.ts';

/** For alerts on certificates that nobody renews. */
export function certificateFigure({ notAfterMs }: ServerTls): Figure {
  return {
    name: 'tls_certificate_not_after_seconds',
    help: 'When the served certificate expires, in seconds since the Unix epoch',
    value: Math.floor(notAfterMs() / 1000),
  };
}
