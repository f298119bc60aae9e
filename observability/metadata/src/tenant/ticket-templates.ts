import type { TicketTemplate } from '@sextant/contracts-observability';

export type NewTicketTemplate = Omit<TicketTemplate, 'id'>;

export type TicketTemplateStore = {
  /** @throws MetadataConflict when the name is taken */
  readonly create: (template: NewTicketTemplate) => Promise<TicketTemplate>;
  /** Newest first. */
  readonly list: () => Promise<readonly TicketTemplate[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<TicketTemplate>;
  /** Replaces it whole. @throws MetadataMissing; MetadataConflict when the name is taken */
  readonly replace: (id: number, template: NewTicketTemplate) => Promise<TicketTemplate>;
  /** @throws MetadataMissing; MetadataConflict while a monitor refers to it */
  readonly delete: (id: number) => Promise<void>;
};
