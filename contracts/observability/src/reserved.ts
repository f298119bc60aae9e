// SPDX-License-Identifier: Apache-2.0
/** First steps of paths that are no tenants. */
export const RESERVED_TENANT_IDS: readonly string[] = ['api', 'auth', 'configuration', 'docs', 'healthz', 'metrics', 'platform', 'readyz'];
