// SPDX-License-Identifier: Apache-2.0
/** Incidents as the table of SPEC.md (monitors/incidents) has them, in the plainest way: the reference implementation of the store. */

const REOPEN_MS = 30 * 86_400_000;

type ModelStep = { readonly state: string; readonly timeMs: number; readonly alerts: number };
export type ModelIncident = { readonly policy: string; readonly steps: readonly ModelStep[] };
type Kept = { readonly policy: string; readonly steps: ModelStep[]; readonly subjects: Set<string> };

const isOpen = ({ steps }: Kept): boolean => steps.at(-1)?.state !== 'RESOLVED';
const lastMs = ({ steps }: Kept): number => steps.at(-1)?.timeMs ?? 0;

/** Of one asset. */
export class IncidentModel {
  readonly #incidents: Kept[] = [];

  get incidents(): readonly ModelIncident[] {
    return this.#incidents.map(({ policy, steps }) => ({ policy, steps }));
  }

  /** Each subject has an alert of its own. */
  violate(policy: string, subjects: readonly string[], timeMs: number): void {
    const of = subjects.map((subject) => [subject, this.#incidentOf(policy, subject, timeMs)] as const);
    for (const incident of this.#of(policy)) {
      const own = of.filter(([, its]) => its === incident);
      if (own.length > 0) incident.steps.push({ state: isOpen(incident) ? 'ONGOING' : 'REOPENED', timeMs, alerts: own.length });
      else if (isOpen(incident)) incident.steps.push({ state: 'RESOLVED', timeMs, alerts: 0 });
    }
    const begun = of.filter(([, its]) => its === undefined).map(([subject]) => subject);
    if (begun.length === 0) return;
    this.#incidents.push({ policy, subjects: new Set(begun), steps: [{ state: 'NEW', timeMs, alerts: begun.length }] });
  }

  resolve(policy: string, timeMs: number): void {
    for (const incident of this.#of(policy).filter(isOpen)) incident.steps.push({ state: 'RESOLVED', timeMs, alerts: 0 });
  }

  /** The newest one of the policy. */
  reopen(policy: string, timeMs: number): void {
    const newest = this.#of(policy).at(-1);
    if (newest !== undefined && !isOpen(newest)) newest.steps.push({ state: 'REOPENED', timeMs, alerts: 0 });
  }

  #incidentOf(policy: string, subject: string, timeMs: number): Kept | undefined {
    const own = this.#of(policy).filter(({ subjects }) => subjects.has(subject));
    const closed = own.filter((incident) => !isOpen(incident)).toSorted((one, other) => lastMs(other) - lastMs(one));
    return own.find(isOpen) ?? closed.find((incident) => timeMs <= lastMs(incident) + REOPEN_MS);
  }

  #of(policy: string): readonly Kept[] {
    return this.#incidents.filter((incident) => incident.policy === policy);
  }
}
