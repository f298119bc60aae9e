// SPDX-License-Identifier: Apache-2.0
/** What goes out and the tickets, as queries see them: names and types follow the migrations; `_ms` is milliseconds since 1970. */

export type DeliverySchema = {
  deliveries: {
    tenant_id: string;
    id: string;
    number: number;
    kind: string;
    dedup_key: string | null;
    lane: string;
    target: string;
    recipient: string;
    incident_id: number | null;
    channel: string | null;
    payload: string;
    status: string;
    attempts: number;
    lease: string | null;
    created_ms: number;
    first_attempt_ms: number | null;
    last_attempt_ms: number | null;
    next_attempt_ms: number;
    ended_ms: number | null;
    last_error: string | null;
  };
  tickets: {
    tenant_id: string;
    id: number;
    incident_id: number;
    tracker_key: string;
    url: string;
    status: string | null;
    template_id: number | null;
    created_ms: number;
    synced_ms: number;
    last_error: string | null;
  };
  tracker_connections: {
    tenant_id: string;
    base_url: string;
    email: string | null;
    token: string;
    token_key_id: string;
    poll_interval_seconds: number;
  };
};
