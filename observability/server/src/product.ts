// SPDX-License-Identifier: Apache-2.0
/** What this server calls itself. */
export const PRODUCT = { name: 'sextant-observability', title: 'sextant - data observability platform', version: '0.1.0' } as const;
