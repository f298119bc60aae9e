// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { RaisedAlert } from './alerts.ts';
import { REOPEN_WINDOW_MS } from './incident-machine.ts';
import { policySteps, type StandingIncident } from './policy-steps.ts';
import { subjectsOf } from './subject.ts';

const NOW = Date.parse('2025-06-01T00:00:00.000Z');
const DAY_MS = 86_400_000;

type Named = StandingIncident & { readonly name: string };

const about = (...attributes: readonly string[]) => subjectsOf(attributes.map((attribute) => ({ attribute, rule: null })));
const open = (name: string, ...attributes: readonly string[]): Named => ({
  name,
  status: 'OPEN',
  lastStepMs: NOW - DAY_MS,
  subjects: about(...attributes),
});
const closed = (name: string, daysAgo: number, ...attributes: readonly string[]): Named => ({
  name,
  status: 'CLOSED',
  lastStepMs: NOW - daysAgo * DAY_MS,
  subjects: about(...attributes),
});

/** The machine looks at what an alert is about alone. */
const alert = (attribute: string | null, rule: string | null = null) =>
  ({ metric: { attribute, rule }, violation_name: attribute ?? rule ?? 'DATA' }) as unknown as RaisedAlert;

const violated = (standing: readonly Named[], alerts: readonly RaisedAlert[], omitted = 0) =>
  policySteps(standing, { cause: 'violation', alerts, omitted }, NOW).map((step) => [
    step.incident?.name,
    step.move.state,
    step.alerts.map(({ violation_name }) => violation_name),
  ]);

describe('[I2] alerts of one policy and scan', () => {
  test('make one incident, whatever they are about', () => {
    expect(violated([], [alert('price'), alert('distance'), alert(null, 'VAT')])).toEqual([
      [undefined, 'NEW', ['price', 'distance', 'VAT']],
    ]);
  });

  test('of another attribute make an incident of their own, while one is open', () => {
    expect(violated([open('a', 'date')], [alert('date'), alert('distance')])).toEqual([
      ['a', 'ONGOING', ['date']],
      [undefined, 'NEW', ['distance']],
    ]);
  });

  test('never reopen an incident that was about another attribute', () => {
    expect(violated([closed('max(date)', 9, 'date')], [alert('distance')])).toEqual([[undefined, 'NEW', ['distance']]]);
    expect(violated([closed('max(date)', 9, 'date')], [alert('date')])).toEqual([['max(date)', 'REOPENED', ['date']]]);
  });

  test('tell rules apart, and an attribute from a rule of its name', () => {
    const standing = { ...open('a'), subjects: subjectsOf([{ attribute: 'price', rule: 'positive' }]) };
    expect(violated([standing], [alert('price', 'positive'), alert('price', 'whole'), alert('price')])).toEqual([
      ['a', 'ONGOING', ['price']],
      [undefined, 'NEW', ['price', 'price']],
    ]);
  });

  test('go to the open one before any closed, and to the one that was closed last', () => {
    expect(violated([closed('old', 2, 'a'), open('now', 'a')], [alert('a')])).toEqual([['now', 'ONGOING', ['a']]]);
    expect(violated([closed('old', 2, 'a', 'b'), closed('older', 5, 'a')], [alert('a')])).toEqual([['old', 'REOPENED', ['a']]]);
    const long = REOPEN_WINDOW_MS / DAY_MS + 1;
    expect(violated([closed('long ago', long, 'a')], [alert('a')])).toEqual([[undefined, 'NEW', ['a']]]);
  });
});

test('[I3] an open incident that no alert is about is resolved, though the policy is violated elsewhere', () => {
  expect(violated([open('a', 'x'), open('b', 'y'), closed('c', 1, 'z')], [alert('y')])).toEqual([
    ['a', 'RESOLVED', []],
    ['b', 'ONGOING', ['y']],
  ]);
});

test('[D7] where violations made no alert, nothing is known to be over', () => {
  expect(violated([open('a', 'x')], [alert('y')], 5)).toEqual([[undefined, 'NEW', ['y']]]);
});

test('[I3][I5] a policy that is clear, or off, resolves all its open incidents; one that was not evaluated none', () => {
  const standing = [open('a', 'x'), closed('b', 1, 'y'), open('c', 'z')];
  const states = (cause: 'no violation' | 'monitor is off' | 'not evaluated') =>
    policySteps(standing, { cause, alerts: [], omitted: 0 }, NOW).map(({ incident, move }) => [incident?.name, move.state]);
  for (const cause of ['no violation', 'monitor is off'] as const) {
    expect(states(cause)).toEqual([
      ['a', 'RESOLVED'],
      ['c', 'RESOLVED'],
    ]);
  }
  expect(states('not evaluated')).toEqual([]);
});

describe('[I3][I10] where a part of a violated policy could not be evaluated', () => {
  const error = { metric: { attribute: null, rule: null }, type: 'CHECK_ERROR', violation_name: 'error' } as unknown as RaisedAlert;
  const partial = (standing: readonly Named[], ...alerts: readonly RaisedAlert[]) =>
    policySteps(standing, { cause: 'violation', alerts, omitted: 0, isPartial: true }, NOW).map((step) => [
      step.incident?.name,
      step.move.state,
      step.alerts.map(({ violation_name }) => violation_name),
    ]);

  test('the error opens an incident beside that of the violations', () => {
    expect(partial([], error, alert('a'), alert('b'))).toEqual([
      [undefined, 'NEW', ['a', 'b']],
      [undefined, 'NEW', ['error']],
    ]);
    expect(partial([open('a', 'x')], error, alert('x'))).toEqual([
      ['a', 'ONGOING', ['x']],
      [undefined, 'NEW', ['error']],
    ]);
  });

  test('it goes on with what is open of other subjects, none of which is known to be over', () => {
    expect(partial([open('a', 'x'), open('b', 'y'), open('c', 'z'), closed('d', 1, 'w')], error, alert('y'))).toEqual([
      ['a', 'ONGOING', ['error']],
      ['b', 'ONGOING', ['y']],
      ['c', 'ONGOING', []],
    ]);
  });

  test('it reopens the one that was closed last of its own, and not the one that a violation reopens', () => {
    const errored = { ...closed('e', 2), subjects: subjectsOf([{ attribute: null, rule: null }]) };
    expect(partial([errored], error, alert('x'))).toEqual([
      ['e', 'REOPENED', ['error']],
      [undefined, 'NEW', ['x']],
    ]);
    expect(partial([errored], error, alert(null))).toEqual([
      ['e', 'REOPENED', ['DATA']],
      [undefined, 'NEW', ['error']],
    ]);
  });

  test('where other monitors say why, nothing that is open is over', () => {
    expect(partial([open('a', 'x'), open('b', 'y')], alert('y'))).toEqual([
      ['a', 'ONGOING', []],
      ['b', 'ONGOING', ['y']],
    ]);
  });
});
