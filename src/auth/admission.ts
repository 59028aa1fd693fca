import { Injectable } from '@nestjs/common';
import { Batcher, Database } from '../platform/index.js';
import type { PartnerKey } from './partner-key.js';

const MOST_REQUESTS_A_BATCH = 128;
const MOST_BATCHES_IN_FLIGHT = 2;

/** How a request fared: its nonce, and both windows of its key. */
export interface AdmissionResult {
  readonly outcome: 'ADMITTED' | 'LIMITED' | 'REPLAYED' | 'STALE';
  readonly minuteUsed: number;
  /** Seconds until the minute's window has room again. */
  readonly minuteReset: number;
  readonly dayUsed: number;
  /** Seconds until midnight in India. */
  readonly dayReset: number;
}

interface AdmissionRow {
  outcome: AdmissionResult['outcome'];
  minute_used: number;
  minute_reset: number;
  day_used: number;
  day_reset: number;
}

interface Arrival {
  keyId: string;
  version: number;
  nonce: string;
}

/**
 * Uses a nonce up and counts the request in both windows, durably and exactly across replicas, in
 * one round trip that all requests waiting at the moment share. The limits are decided in the database:
 * `store/functions/admit_requests.sql`.
 */
@Injectable()
export class Admission {
  private readonly batcher: Batcher<Arrival, AdmissionResult>;

  constructor(private readonly database: Database) {
    this.batcher = new Batcher({
      run: (arrivals) => this.admitAll(arrivals),
      mostItems: MOST_REQUESTS_A_BATCH,
      mostInFlight: MOST_BATCHES_IN_FLIGHT,
    });
  }

  admit(key: PartnerKey, nonce: string): Promise<AdmissionResult> {
    return this.batcher.add({ keyId: key.id, version: key.version, nonce: nonce.toLowerCase() });
  }

  private async admitAll(arrivals: Arrival[]): Promise<AdmissionResult[]> {
    const rows = await this.database.prepared<AdmissionRow & Record<string, unknown>>(
      'admit-requests',
      `SELECT outcome, minute_used, minute_reset, day_used, day_reset
       FROM admit_requests($1, $2, $3) ORDER BY ord`,
      [
        arrivals.map(({ keyId }) => keyId),
        arrivals.map(({ version }) => version),
        arrivals.map(({ nonce }) => nonce),
      ],
    );
    return rows.map((row) => ({
      outcome: row.outcome,
      minuteUsed: row.minute_used,
      minuteReset: row.minute_reset,
      dayUsed: row.day_used,
      dayReset: row.day_reset,
    }));
  }
}
