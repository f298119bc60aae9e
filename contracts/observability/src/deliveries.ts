/** What goes out, and what comes of it: deliveries, tickets, how the tracker is reached. */

/** A change of a job to an asset's webhook, an incident to a channel, a new ticket, a comment in a ticket. */
export type DeliveryKind = 'JOB_WEBHOOK' | 'NOTIFICATION' | 'TICKET' | 'TICKET_COMMENT';
/** FAILED was given up. */
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

export type Delivery = {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly incident_id: number | null;
  readonly channel: string | null;
  /** An e-mail address, or the host of a web address. */
  readonly recipient: string;
  readonly status: DeliveryStatus;
  /** Attempts that were begun. */
  readonly attempts: number;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  /** Null once it has ended. */
  readonly next_attempt_at: string | null;
  readonly ended_at: string | null;
};

export type Ticket = {
  /** The `ticket_id` of the incident. */
  readonly id: number;
  readonly incident_id: number;
  /** What the tracker calls it. */
  readonly key: string;
  readonly url: string;
  /** The tracker's word; null until it has been read. */
  readonly status: string | null;
  readonly template_id: number | null;
  readonly created_at: string;
  readonly synced_at: string;
  /** Why the status could not be read the last time. */
  readonly last_error: string | null;
};

/** The token stays inside. */
export type TrackerConnection = {
  readonly base_url: string;
  /** With an e-mail address the token is a password (Basic), without one a bearer token. */
  readonly email: string | null;
  readonly poll_interval_seconds: number;
};
