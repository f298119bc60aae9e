/** Incidents as the table of SPEC.md (monitors/incidents) has them, in the plainest way: the reference implementation of the store. */

const REOPEN_MS = 30 * 86_400_000;

type ModelStep = { readonly state: string; readonly timeMs: number; readonly alerts: number };
export type ModelIncident = { readonly policy: string; readonly steps: readonly ModelStep[] };

/** Of one asset. */
export class IncidentModel {
  readonly #incidents: { readonly policy: string; readonly steps: ModelStep[] }[] = [];

  get incidents(): readonly ModelIncident[] {
    return this.#incidents;
  }

  violate(policy: string, alerts: number, timeMs: number): void {
    const newest = this.#newest(policy);
    const last = newest?.steps.at(-1);
    if (newest === undefined || last === undefined) this.#incidents.push({ policy, steps: [{ state: 'NEW', timeMs, alerts }] });
    else if (last.state !== 'RESOLVED') newest.steps.push({ state: 'ONGOING', timeMs, alerts });
    else if (timeMs <= last.timeMs + REOPEN_MS) newest.steps.push({ state: 'REOPENED', timeMs, alerts });
    else this.#incidents.push({ policy, steps: [{ state: 'NEW', timeMs, alerts }] });
  }

  resolve(policy: string, timeMs: number): void {
    const newest = this.#newest(policy);
    if (newest !== undefined && newest.steps.at(-1)?.state !== 'RESOLVED') newest.steps.push({ state: 'RESOLVED', timeMs, alerts: 0 });
  }

  reopen(policy: string, timeMs: number): void {
    const newest = this.#newest(policy);
    if (newest?.steps.at(-1)?.state === 'RESOLVED') newest.steps.push({ state: 'REOPENED', timeMs, alerts: 0 });
  }

  #newest(policy: string) {
    return this.#incidents.findLast((incident) => incident.policy === policy);
  }
}
