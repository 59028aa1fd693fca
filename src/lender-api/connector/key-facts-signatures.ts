import { Injectable } from '@nestjs/common';
import type { Lender } from '../../settings/index.js';
import { LenderCallFailed } from '../client/lender-call-failed.js';
import { SignatureAlarm } from '../client/signature-alarm.js';
import { LenderKeys } from '../keys/lender-keys.js';
import { verifyKeyFactsSignature } from '../signing/key-facts-signature.js';
import { SignatureRefused } from '../signing/signature-refused.js';

/** Checks what lenders sign of the Key Facts Statements that were chosen. */
@Injectable()
export class KeyFactsSignatures {
  constructor(
    private readonly keys: LenderKeys,
    private readonly alarm: SignatureAlarm,
  ) {}

  /**
   * @param hash SHA-256 (hex) of the statement
   * @throws LenderCallFailed when it is not the lender's signature of this very statement
   */
  async check(lender: Lender, signature: string, hash: string): Promise<void> {
    try {
      await this.keys.check(lender, (findKey) => verifyKeyFactsSignature(signature, hash, findKey));
    } catch (cause) {
      if (!(cause instanceof SignatureRefused)) throw cause;
      this.alarm.refused(lender.code, 'answer', cause.problem);
      throw new LenderCallFailed('signature_refused', `keyFactsSignature: ${cause.message}`, {
        cause,
      });
    }
  }
}
