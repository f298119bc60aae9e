/** Scan jobs. */

export type JobStatus = 'PREPARING' | 'BATCH_WAIT' | 'IN_PROGRESS' | 'FINISHED' | 'FAILED';

export type Job = {
  /** The letter `a` and 32 hexadecimal digits. */
  readonly id: string;
  readonly asset_id: string;
  readonly status: JobStatus;
  /** What happens or what went wrong, in words. */
  readonly details: string;
  readonly created_at: string;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly progress: JobProgress;
};

export type JobProgress = {
  readonly phase: 'waiting' | 'reading' | 'measuring' | 'saving' | 'done';
  readonly rows_read: number;
  /** Between 0 and 1, null while it cannot be known. */
  readonly fraction: number | null;
};
