import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

export interface AdmissionResult {
  readonly outcome: 'ADMITTED' | 'LIMITED' | 'REPLAYED' | 'STALE';
  readonly minuteUsed: number;
  /** Seconds until the minute's window has room again. */
  readonly minuteReset: number;
  readonly dayUsed: number;
  /** Seconds until midnight in India. */
  readonly dayReset: number;
}

export interface Arrival {
  readonly keyId: string;
  /** Of the key that the signature was checked with. */
  readonly version: number;
  readonly nonce: string;
}

@Injectable()
export class AdmissionsRepository {
  constructor(private readonly database: Database) {}

  async admit(arrivals: readonly Arrival[]): Promise<AdmissionResult[]> {
    return this.database.prepared<AdmissionResult & Record<string, unknown>>(
      'admit-requests',
      `SELECT outcome, minute_used AS "minuteUsed", minute_reset AS "minuteReset",
         day_used AS "dayUsed", day_reset AS "dayReset"
       FROM admit_requests($1, $2, $3) ORDER BY ord`,
      [
        arrivals.map(({ keyId }) => keyId),
        arrivals.map(({ version }) => version),
        arrivals.map(({ nonce }) => nonce),
      ],
    );
  }
}
