import type { Migration } from '../migration.ts';

export const incidentCare: Migration = [];
