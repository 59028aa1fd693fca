import { Injectable } from '@nestjs/common';
import { CallLimits } from '../client/call-limits.js';
import { CallbackRefused } from './callback-refused.js';

/** Of one lender, on one replica. */
const LIMITS = { callsPerSecond: 50, callsAtOnce: 20 };

/** How much one lender may tell us at a time: no lender keeps the others from being heard. */
@Injectable()
export class CallbackLimits {
  private readonly lenders = new Map<string, CallLimits>();

  /**
   * @returns what ends the call's place
   * @throws CallbackRefused too_many_requests
   */
  take(lenderCode: string): () => void {
    let limits = this.lenders.get(lenderCode);
    if (!limits) {
      limits = new CallLimits(LIMITS, () => performance.now());
      this.lenders.set(lenderCode, limits);
    }
    const room = limits.take(true);
    if (room.kind === 'TAKEN') return room.release;
    const seconds = Math.max(1, Math.ceil(room.waitMs / 1_000));
    throw new CallbackRefused('too_many_requests', undefined, seconds);
  }
}
