// SPDX-License-Identifier: Apache-2.0
/** Schemas of ticket templates, the DQ score, DQ reporting and notification channels. */
import { jsonObject, maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { answer, description, name, nullable, text } from './value-schemas.ts';

const present = Type.String({ minLength: 1, maxLength: 255 });

export const putTicketTemplateSchema = strict(
  {
    name,
    description: maybe(description),
    type: Type.Literal('TRACKER'),
    props: strict({ tracker_project_id: present, tracker_issue_type_id: present, custom_fields: maybe(jsonObject) }),
  },
  { title: 'PutTicketTemplate' },
);

export const ticketTemplateSchema = answer('TicketTemplate', {
  id: Type.Integer(),
  name: Type.String(),
  description: nullable(Type.String()),
  type: Type.Literal('TRACKER'),
  props: Type.Object({ tracker_project_id: Type.String(), tracker_issue_type_id: Type.String(), custom_fields: jsonObject }),
});
export type TicketTemplate = Static<typeof ticketTemplateSchema>;

const WEIGHT_NAMES = ['completeness', 'accuracy', 'consistency', 'timeliness'] as const;
const weight = Type.Number({ minimum: 0 });

const weightsSchema = Type.Refine(
  strict({ completeness: weight, accuracy: weight, consistency: weight, timeliness: weight }, { title: 'DqScoreWeights' }),
  (weights) => sumOf(weights) > 0 && Number.isFinite(sumOf(weights)),
  (weights) => (sumOf(weights) > 0 ? 'the sum of the weights is too large' : 'at least one weight must be above 0'),
);

function sumOf(weights: DqScoreConfig['weights']): number {
  return WEIGHT_NAMES.reduce((sum, each) => sum + weights[each], 0);
}

/** One edition of this API family sends `thresholds`; they have no effect. */
export const putDqScoreSchema = strict(
  {
    enabled: Type.Boolean(),
    weights: weightsSchema,
    thresholds: Type.Optional(Type.Unknown({ description: 'Accepted; has no effect.' })),
  },
  { title: 'PutDqScore' },
);

const dqScoreConfigSchema = answer('DqScoreConfig', {
  enabled: Type.Boolean(),
  weights: Type.Object({ completeness: weight, accuracy: weight, consistency: weight, timeliness: weight }),
});
export type DqScoreConfig = Static<typeof dqScoreConfigSchema>;
export const dqScoreSchema = answer('DqScore', { dq_score_config: dqScoreConfigSchema });
export const dqScoreDeletedSchema = answer('DqScoreDeleted', { success: Type.Boolean(), message: Type.String() });

/** Below the bucket of the connection; never out of it. */
const relativePath = Type.Refine(
  Type.String({ minLength: 1, maxLength: 1024 }),
  (path) => pathProblem(path) === undefined,
  (path) => pathProblem(path) ?? '',
);

function pathProblem(path: string): string | undefined {
  if (/^[/\\]|^[a-z][a-z0-9+.-]*:/i.test(path)) return 'must be relative: a path inside the bucket of the connection';
  if (/(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(path)) return 'must not have steps `.` or `..`';
  if (/[\p{Cc}\\]/u.test(path)) return 'must not have backslashes or control characters';
  return undefined;
}

export const putDqReportingSchema = strict(
  { enabled: Type.Boolean(), path: relativePath, connection_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) },
  { title: 'PutDqReporting' },
);
export const dqReportingSchema = answer('DqReporting', { enabled: Type.Boolean(), path: Type.String(), connection_id: Type.Integer() });
export type DqReportingConfig = Static<typeof dqReportingSchema>;
export const storedDqReportingSchema = Type.Union([
  dqReportingSchema,
  Type.Object({}, { description: 'Returned if no configuration was saved.' }),
]);

type ChannelBody = { type: string; addresses: string[] };

const channelMembers = { type: oneOf('EMAIL', 'SLACK', 'TEAMS', 'WEBHOOK'), addresses: Type.Array(text, { minItems: 1, maxItems: 100 }) };

export const createChannelSchema = Type.Refine(
  strict({ name, ...channelMembers }, { title: 'CreateChannel' }),
  (channel) => addressProblem(channel) === undefined,
  (channel) => addressProblem(channel) ?? '',
);
export const updateChannelSchema = Type.Refine(
  strict(channelMembers, { title: 'UpdateChannel' }),
  (channel) => addressProblem(channel) === undefined,
  (channel) => addressProblem(channel) ?? '',
);

/** What an address is depends on the kind: a mailbox, a web address, or for SLACK also the name of a channel. */
function addressProblem({ type, addresses }: ChannelBody): string | undefined {
  const forms: { readonly [type: string]: readonly [form: RegExp, words: string] } = {
    EMAIL: [/^[^\s@<>"]+@[^\s@<>"]+$/, 'an e-mail address'],
    SLACK: [/^(?:https?:\/\/\S+|#?[\p{L}\p{N}_-]{1,80})$/u, 'the name of a channel or a web address'],
    TEAMS: [/^https?:\/\/\S+$/, 'an http or https address'],
    WEBHOOK: [/^https?:\/\/\S+$/, 'an http or https address'],
  };
  const [form, words] = forms[type] ?? [/./, 'an address'];
  const wrong = addresses.findIndex((address) => !form.test(address));
  return wrong === -1 ? undefined : `addresses[${wrong}]: expected ${words}, got ${JSON.stringify(addresses[wrong])}`;
}

export const channelSchema = answer('NotificationChannel', {
  name: Type.String(),
  type: channelMembers.type,
  addresses: Type.Array(Type.String()),
});
export type NotificationChannel = Static<typeof channelSchema>;
