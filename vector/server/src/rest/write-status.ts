// SPDX-License-Identifier: Apache-2.0
/**
 * How the status of a write is spelled over REST. The specification says `Completed`. The published Python client parses the status as an enumeration
 * of lower-case words and raises an error for any other, after the write has happened; it names itself in `User-Agent` with every request.
 */

import type { WriteStatusCase } from '../configuration.ts';

/** `python-client/1.20.0 python/3.11.2`; its callers cannot change it (qdrant_client/qdrant_remote.py). */
const LOWERCASE_CLIENTS = /^python-client\//;

export function isLowercase(chosen: WriteStatusCase, userAgent: string | undefined): boolean {
  return chosen === 'lowercase' || (chosen === 'auto' && userAgent !== undefined && LOWERCASE_CLIENTS.test(userAgent));
}
