// SPDX-License-Identifier: Apache-2.0
/** With what the form of a new monitor begins, as it stands in the address: a rule that was suggested, say. */
import { type AddressOf, readAddress } from '../../ui/address.ts';
import { defaultBandOf, type MonitorForm, NEW_MONITOR } from './monitor-form.ts';

const FIELDS = { rule: 'text', name: 'text' } as const;

export type NewMonitorStart = AddressOf<typeof FIELDS>;

export function newMonitorStart(search: Readonly<Record<string, unknown>>): NewMonitorStart {
  return readAddress(search, FIELDS);
}

export function formOfStart({ rule, name = '' }: NewMonitorStart): MonitorForm {
  if (rule === undefined) return { ...NEW_MONITOR, name };
  return { ...NEW_MONITOR, ...defaultBandOf('RULE'), type: 'RULE', expression: rule, name };
}
