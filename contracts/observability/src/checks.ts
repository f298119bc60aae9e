// SPDX-License-Identifier: Apache-2.0
/** What a monitor came to in one scan. */

/**
 * `ok` and `violated` were evaluated. `errored`: the rule, metric or monitor, or a part of it, could not be evaluated, which is never a pass and which no
 * violation beside it hides. `not_enough_history`: a learned or relative threshold knows too few scans. `not_applicable`: the asset has nothing that the
 * monitor watches.
 */
export const CHECK_STATES = ['ok', 'violated', 'errored', 'not_enough_history', 'not_applicable'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** What an incident is about: `VIOLATION`, or `CANNOT_BE_EVALUATED` while its newest alerts only say that the monitor could not be evaluated. */
export const INCIDENT_KINDS = ['VIOLATION', 'CANNOT_BE_EVALUATED'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** The type of the alerts that say that a monitor could not be evaluated. */
export const CHECK_ERROR = 'CHECK_ERROR';
