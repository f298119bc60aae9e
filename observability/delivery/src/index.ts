// SPDX-License-Identifier: Apache-2.0
export { sendSlack } from './chat/slack.ts';
export { sendTeams } from './chat/teams.ts';
export type { Wire } from './exchange.ts';
export { DeliveryFailure } from './failure.ts';
export { incidentMail } from './mail/incident-mail.ts';
export { createMailer, type Mailer, type MailServer } from './mail/mailer.ts';
export type { IncidentEventName, IncidentMessage } from './message.ts';
export { TrackerRefusal } from './tracker/refusal.ts';
export { createTracker, type IssueFields, type Tracker } from './tracker/tracker.ts';
export { generateWebhookSecret } from './webhook/signature.ts';
export { sendJobWebhook, sendWebhook, webhookBody } from './webhook/webhook.ts';
