/** A request to somebody's server that has to arrive at least once. */
export type WebhookDelivery = {
  readonly id: string;
  readonly url: string;
  /** JSON. */
  readonly body: unknown;
  /** Attempts that were begun, this one included once it is claimed. */
  readonly attempts: number;
  readonly created_at: string;
  readonly next_attempt_at: string;
  readonly last_error: string | null;
};

/** The outbox. A delivery that is neither delivered nor given up comes due again when its claim ends. */
export type WebhookDeliveryStore = {
  readonly enqueue: (delivery: { readonly url: string; readonly body: unknown }) => Promise<WebhookDelivery>;
  readonly list: (limit?: number) => Promise<readonly WebhookDelivery[]>;
  readonly delivered: (id: string) => Promise<void>;
  readonly retry: (id: string, attempt: { readonly next_attempt_at: string; readonly error: string }) => Promise<void>;
  readonly giveUp: (id: string) => Promise<void>;
};
