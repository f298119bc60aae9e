// SPDX-License-Identifier: Apache-2.0
/** Where unforeseen failures are reported, with their cause; the service's log fits. */
export type FailureLog = { error(details: object, message: string): void };
