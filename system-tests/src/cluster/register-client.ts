// SPDX-License-Identifier: Apache-2.0
/**
 * A client that shares a few points with others, by way of any node: it reads them with majority consistency, writes, deletes, and writes on the condition that
 * they still hold what it has read. What it did and the answers that it got are recorded, to be checked for linearizability. Its reads without consistency are checked at once:
 * at one node they never go back behind what the client has seen or written there.
 */
import type { Random } from '@sextant/foundation-std';
import { isLinearizable, type RegisterAction, type RegisterOperation, type RegisterValue } from '@sextant/foundation-testing';
import { type CollectionAtNode, call } from './cluster-client.ts';

const FIRST_REGISTER = 2_000_000;
const REGISTERS = 3;
/** Then others take their place: what nobody answered may be done at any later time, so the search grows with the history of a point. */
const OPERATIONS_MAX = 150;

export class RegisterHistory {
  readonly #operations = new Map(Array.from({ length: REGISTERS }, (_, at): [number, RegisterOperation[]] => [FIRST_REGISTER + at, []]));
  #value = 0;

  /** Those that clients share for now. */
  get registers(): readonly number[] {
    return [...this.#operations.keys()].slice(-REGISTERS);
  }

  get all(): readonly number[] {
    return [...this.#operations.keys()];
  }

  /** One that nobody has written yet. */
  nextValue(): number {
    this.#value += 1;
    return this.#value;
  }

  add(register: number, operation: RegisterOperation): void {
    const operations = this.#operations.get(register) ?? [];
    this.#operations.set(register, operations);
    operations.push(operation);
    if (operations.length === OPERATIONS_MAX) this.#operations.set(FIRST_REGISTER + this.#operations.size, []);
  }

  get answeredReads(): number {
    return [...this.#operations.values()].flat().filter(({ action }) => action.kind === 'read').length;
  }

  get violations(): readonly string[] {
    return [...this.#operations].flatMap(([register, operations]) =>
      isLinearizable(operations) ? [] : [`point ${register} is not linearizable: ${JSON.stringify(operations)}`],
    );
  }

  /** The same with two writes and a read of the first of them at the end of every point: what the check has to find. */
  withStaleReads(): RegisterHistory {
    const stale = new RegisterHistory();
    for (const [register, operations] of this.#operations) {
      const [one, other] = [this.nextValue(), this.nextValue()];
      const actions: readonly RegisterAction[] = [
        { kind: 'write', value: one },
        { kind: 'write', value: other },
        { kind: 'read', found: one },
      ];
      const endMs = Math.max(0, ...operations.flatMap(({ calledMs, answeredMs }) => (Number.isFinite(answeredMs) ? answeredMs : calledMs)));
      for (const operation of operations) stale.add(register, operation);
      for (const [at, action] of actions.entries())
        stale.add(register, { action, calledMs: endMs + 2 * at + 1, answeredMs: endMs + 2 * at + 2 });
    }
    return stale;
  }
}

export type RegisterClientOptions = {
  readonly history: RegisterHistory;
  readonly random: Random;
  readonly nodeAt: (index: number) => CollectionAtNode;
  readonly nowMs: () => number;
  /** The versions of a key's points are not the numbers of operations. */
  readonly isKeyed: boolean;
};

export class RegisterClient {
  readonly #options: RegisterClientOptions;
  /** What it has found last. */
  readonly #found = new Map<number, RegisterValue>();
  /** The newest version that it has seen or written, by node and point. */
  readonly #versions = new Map<string, number>();
  readonly violations: string[] = [];

  constructor(options: RegisterClientOptions) {
    this.#options = options;
  }

  async step(nodes: number): Promise<void> {
    const { random, history } = this.#options;
    const node = random.integer(nodes);
    const register = history.registers[random.integer(history.registers.length)] ?? FIRST_REGISTER;
    switch (random.integer(8)) {
      case 0:
        return this.#write(node, register, { kind: 'write', value: undefined });
      case 1:
      case 2:
        return this.#write(node, register, { kind: 'write', value: history.nextValue() });
      case 3:
      case 4:
        return this.#write(node, register, { kind: 'write_if', expected: this.#found.get(register), value: history.nextValue() });
      case 5:
        return this.#look(node, register);
      default:
        return this.read(node, register);
    }
  }

  async read(node: number, register: number): Promise<void> {
    const { history, nodeAt, nowMs } = this.#options;
    const calledMs = nowMs();
    const reply = await call(nodeAt(node), 'POST', 'points?consistency=majority', { ids: [register] });
    if (reply === undefined) return;
    const found = (reply as readonly { readonly payload: { readonly value: number } }[])[0]?.payload.value;
    this.#found.set(register, found);
    history.add(register, { action: { kind: 'read', found }, calledMs, answeredMs: nowMs() });
  }

  async #write(node: number, register: number, action: Exclude<RegisterAction, { readonly kind: 'read' }>): Promise<void> {
    const { history, nodeAt, nowMs } = this.#options;
    const calledMs = nowMs();
    const reply = await send(nodeAt(node), register, action);
    history.add(register, { action, calledMs, answeredMs: reply === undefined ? Number.POSITIVE_INFINITY : nowMs() });
    // One with a condition may have written nothing.
    if (reply !== undefined && action.kind === 'write' && !this.#options.isKeyed)
      this.#note(node, register, (reply as { readonly operation_id: number }).operation_id);
  }

  /** Without consistency: the node answers with what it has. */
  async #look(node: number, register: number): Promise<void> {
    const filter = { must: { has_id: [register] } };
    const reply = await call(this.#options.nodeAt(node), 'POST', 'points/search', {
      vector: [0, 0],
      limit: 1,
      filter,
      params: { exact: true },
    });
    const [hit] = (reply ?? []) as readonly { readonly version: number }[];
    if (hit === undefined) return;
    const known = this.#versions.get(`${node} ${register}`) ?? 0;
    if (hit.version < known) this.violations.push(`point ${register} went from version ${known} back to ${hit.version} at node ${node}`);
    this.#note(node, register, hit.version);
  }

  #note(node: number, register: number, version: number): void {
    const key = `${node} ${register}`;
    this.#versions.set(key, Math.max(version, this.#versions.get(key) ?? 0));
  }
}

function send(node: CollectionAtNode, register: number, action: Exclude<RegisterAction, { readonly kind: 'read' }>): Promise<unknown> {
  if (action.value === undefined) return call(node, 'POST', 'points/delete', { points: [register] });
  const points = [{ id: register, vector: [0, 0], payload: { value: action.value } }];
  if (action.kind === 'write') return call(node, 'PUT', 'points', { points });
  if (action.expected === undefined) return call(node, 'PUT', 'points', { points, update_mode: 'insert_only' });
  const update_filter = { must: { key: 'value', match: { value: action.expected } } };
  return call(node, 'PUT', 'points', { points, update_filter, update_mode: 'update_only' });
}
