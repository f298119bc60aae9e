import { operation } from '../operation.ts';

export const cluster = operation('cluster', async () => ({ status: 'disabled' }));
