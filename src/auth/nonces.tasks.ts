import { Injectable } from '@nestjs/common';
import { ScheduledTask } from '../platform/index.js';
import { RequestNoncesRepository } from './store/request-nonces.repository.js';

const EVERY_MS = 60_000;
const ROWS_A_CHUNK = 5_000;
const MAX_CHUNKS = 100;

/**
 * Forgets nonces that no timestamp could bring back. Chunks keep each lock short; replicas that clean
 * at the same moment skip each other's rows.
 */
@Injectable()
export class NoncesTasks {
  constructor(private readonly nonces: RequestNoncesRepository) {}

  @ScheduledTask('forget-nonces', EVERY_MS)
  async forgetExpired(): Promise<void> {
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
      const forgotten = await this.nonces.forgetExpired(ROWS_A_CHUNK);
      if (forgotten < ROWS_A_CHUNK) return;
    }
  }
}
