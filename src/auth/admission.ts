import { Injectable } from '@nestjs/common';
import { Batcher } from '../platform/index.js';
import type { PartnerKey } from './partner-key.js';
import {
  type AdmissionResult,
  AdmissionsRepository,
  type Arrival,
} from './store/admissions.repository.js';

const MAX_REQUESTS_PER_BATCH = 128;
const MAX_BATCHES_IN_FLIGHT = 2;

/**
 * Uses a nonce and counts the request in both windows, exactly across replicas, in one round trip that
 * waiting requests share. `store/functions/admit_requests.sql` decides the limits.
 */
@Injectable()
export class Admission {
  private readonly batcher: Batcher<Arrival, AdmissionResult>;

  constructor(admissions: AdmissionsRepository) {
    this.batcher = new Batcher({
      run: (arrivals) => admissions.admit(arrivals),
      maxItems: MAX_REQUESTS_PER_BATCH,
      maxInFlight: MAX_BATCHES_IN_FLIGHT,
    });
  }

  admit(key: PartnerKey, nonce: string): Promise<AdmissionResult> {
    return this.batcher.add({ keyId: key.id, version: key.version, nonce: nonce.toLowerCase() });
  }
}
